import type { Database } from '../../../database/index.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { totpBinding } from './second-factors.ts';
import type { TotpRecord } from './totp-store.ts';
import * as totpStore from './totp-store.ts';

/** Small enough not to delay events. */
const SECRETS_PER_TRANSACTION = 20;

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
