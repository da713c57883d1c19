import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDeviceKeys, openDeviceKeys } from '../node/keys/file-device-keys.ts';
import { openFileStorage } from '../node/storage/file-storage.ts';

/** A file system in memory if available: real files on which thousands of `fsync` calls take no time. */
const BASE_DIRECTORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Creates a directory that is removed with the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(BASE_DIRECTORY, 'tps-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** A device's directory and keys, on which a test opens stores. The tests of the store also run on the one for browsers. */
export async function storeGround() {
  const directory = await temporaryDirectory();
  const path = join(directory, 'keys.json');
  const keys = await createDeviceKeys({ path, algorithm: 'ed25519' });
  const storeDirectory = join(directory, 'store');
  return {
    directory,
    storeDirectory,
    keys,
    openKeys: () => openDeviceKeys({ path }),
    openStorage: () => openFileStorage({ directory: storeDirectory }),
    /** Opens another storage of the same device. */
    openStorageAt: (name: string) => openFileStorage({ directory: join(directory, name) }),
  };
}
