import { countOf } from '@tps/contract/vocabulary';
import type { Database } from '../../database/index.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import { secretBinding } from './sign-on-provider.ts';
import * as providerStore from './sign-on-provider-store.ts';

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** Returns what to do about providers whose client secret no key of this process opens; undefined if there are none. */
export async function findUnreadableSignOn({
  database,
  secrets,
}: Omit<Parts, 'database'> & { readonly database: Pick<Database, 'read'> }): Promise<string | undefined> {
  const unreadable = await providerStore.countOutsideKeys(database.read, secrets.keyIds);
  if (unreadable === 0) return undefined;
  return (
    `The client secrets for single sign-on of ${countOf(unreadable, 'tenant')} cannot be read: they are encrypted with another ` +
    'master key. Set SERVICE_SECRET_KEY_B64 to that key. If it was replaced, set the old key as ' +
    'SERVICE_SECRET_KEY_B64_PREVIOUS until "secrets rewrap" has run. Or set the secrets again with "sign-on set".'
  );
}

/** Seals the client secrets of all providers under the current master key, one per transaction. */
export async function rewrapSignOnSecrets({
  database,
  secrets,
}: Parts): Promise<{ rewrapped: number; unreadable: number }> {
  let [rewrapped, unreadable] = [0, 0];
  for (const tenantId of await providerStore.listOutsideKey(database.read, secrets.keyId)) {
    await database.transaction(async (tx) => {
      const provider = await providerStore.findForUpdate(tx, tenantId);
      if (!provider?.secret || provider.secret.keyId === secrets.keyId) return;
      const binding = secretBinding(tenantId, provider.issuer);
      const opened = secrets.open(provider.secret, binding);
      if (opened) {
        await providerStore.save(tx, tenantId, { ...provider, secret: secrets.seal(opened, binding) });
        rewrapped += 1;
      } else unreadable += 1;
    });
  }
  return { rewrapped, unreadable };
}
