import { randomBytes } from 'node:crypto';
import { deriveKey } from '../platform/crypto/derive-key.ts';
import type { Database } from './database.ts';
import * as settingsStore from './settings-store.ts';

const SETTING = 'installation_seed';

/** Keys that are the same on every node and after every restart. */
export interface InstallationKeys {
  /** Authenticates cursors. */
  readonly cursors: Buffer;
  /** Makes the tokens of forms. */
  readonly forms: Buffer;
  /** Hashes the accounts and addresses of failed sign-ins. */
  readonly logins: Buffer;
  /** Authenticates the cookies of browsers in which a person has signed in. */
  readonly devices: Buffer;
}

/**
 * Derives the keys from a seed that the first start has stored. They protect nothing from someone who can read the store:
 * that person needs no forged cursor, and knows the cookie of no browser. The master key is not used, because it can be
 * replaced, and cursors never expire.
 */
export async function readInstallationKeys(database: Database): Promise<InstallationKeys> {
  const seed = await readSeed(database);
  return {
    cursors: deriveKey(seed, 'cursors'),
    forms: deriveKey(seed, 'forms'),
    logins: deriveKey(seed, 'logins'),
    devices: deriveKey(seed, 'devices'),
  };
}

function readSeed(database: Database): Promise<Buffer> {
  return database.transaction(async (tx) => {
    await settingsStore.create(tx, SETTING, randomBytes(32).toString('base64'));
    const seed = await settingsStore.find(tx, SETTING);
    if (seed === undefined) throw new Error('The installation seed is missing from the store.');
    return Buffer.from(seed, 'base64');
  });
}
