import type { Database } from '../../../database/index.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { totpBinding } from './second-factors.ts';
import type { TotpRecord } from './totp-store.ts';
import * as totpStore from './totp-store.ts';

/** Small enough not to delay events. */
const SECRETS_PER_TRANSACTION = 20;

/** Returns what to do about authenticator apps whose secrets no key of this process opens; undefined if there are none. */
export async function findUnreadableTotp({
  database,
  secrets,
}: {
  database: Pick<Database, 'read'>;
  secrets: SecretBox;
}): Promise<string | undefined> {
  const unreadable = await totpStore.countOutsideKeys(database.read, secrets.keyIds);
  if (unreadable === 0) return undefined;
  return (
    `The authenticator apps of ${unreadable} accounts cannot be read: their secrets are encrypted with another master key. ` +
    'These people can sign in with recovery codes only. Set SERVICE_SECRET_KEY_B64 to that key. If it was replaced, ' +
    'set the old key as SERVICE_SECRET_KEY_B64_PREVIOUS until "secrets rewrap" has run.'
  );
}

/**
 * Seals the secrets of authenticator apps under the current master key. It can be stopped at any moment and started
 * again. `unreadable` secrets need a key that this process does not have.
 */
export async function rewrapTotpSecrets({
  database,
  secrets,
}: {
  database: Database;
  secrets: SecretBox;
}): Promise<{ rewrapped: number; unreadable: number }> {
  let rewrapped = 0;
  let unreadable = 0;
  let page: TotpRecord[] = [];
  do {
    const next = { keyId: secrets.keyId, after: page.at(-1)?.accountId, limit: SECRETS_PER_TRANSACTION };
    const done = await database.transaction(async (tx) => {
      page = await totpStore.listOutsideKeyForUpdate(tx, next);
      let resealed = 0;
      for (const { accountId, secret } of page) {
        const binding = totpBinding(accountId);
        const opened = secrets.open(secret, binding);
        if (!opened) continue;
        await totpStore.reseal(tx, accountId, secrets.seal(opened, binding));
        resealed += 1;
      }
      return resealed;
    });
    rewrapped += done;
    unreadable += page.length - done;
  } while (page.length === SECRETS_PER_TRANSACTION);
  return { rewrapped, unreadable };
}
