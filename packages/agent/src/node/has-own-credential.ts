import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { CREDENTIAL_FILE } from '../credential/own-credential.ts';
import { devicePaths } from './device-paths.ts';

/** Returns whether the device of a directory has its own credential, also while another process has it open. */
export function hasOwnCredential(directory: string): Promise<boolean> {
  return access(join(devicePaths(directory).store, CREDENTIAL_FILE)).then(
    () => true,
    () => false,
  );
}
