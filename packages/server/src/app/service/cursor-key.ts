import { randomBytes } from 'node:crypto';
import { type Database, settingsStore } from '../../database/index.ts';
import { deriveKey } from '../../platform/crypto/derive-key.ts';

const SETTING = 'installation_seed';

/**
 * Returns the key that authenticates cursors, the same on every node and after every restart: derived from a seed
 * that the first start has stored. The seed protects nothing else: anyone who can read the store needs no forged
 * cursor. The master key is not used, because it can be replaced, and cursors never expire.
 */
export async function readCursorKey(database: Database): Promise<Buffer> {
  return deriveKey(await readSeed(database), 'cursors');
}

function readSeed(database: Database): Promise<Buffer> {
  return database.transaction(async (tx) => {
    await settingsStore.create(tx, SETTING, randomBytes(32).toString('base64'));
    const seed = await settingsStore.find(tx, SETTING);
    if (seed === undefined) throw new Error('The installation seed is missing from the store.');
    return Buffer.from(seed, 'base64');
  });
}
