import type { SignatureAlgorithm } from '@tps/signatures';
import type { DeviceKeys } from '../ports/keys.ts';

/** Placeholder until the store's author replaces this file. */
export function openFileDeviceKeys(
  directory: string,
  options: { readonly algorithm?: SignatureAlgorithm } = {},
): Promise<DeviceKeys> {
  throw new Error(`not there yet: ${directory} ${options.algorithm}`);
}
