import type { Database } from '../../../database/index.ts';
import { isMemoryKey, type SecretBox } from '../../../platform/crypto/secret-box.ts';
import * as channelStore from './channel-store.ts';
import { targetBinding } from './notice-channel.ts';

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** Returns what to do about channels whose URL no key of this process opens; undefined if there are none. */
export async function findUnreadableChannels({
  database,
  secrets,
}: Omit<Parts, 'database'> & { readonly database: Pick<Database, 'read'> }): Promise<string | undefined> {
  const unreadable = await channelStore.countOutsideKeys(database.read, secrets.keyIds);
  if (unreadable === 0) return undefined;
  return (
    `The URLs of ${unreadable} notice channels cannot be read: they are encrypted with another master key. Set ` +
    'SERVICE_SECRET_KEY_B64 to that key. If it was replaced, set the old key as SERVICE_SECRET_KEY_B64_PREVIOUS until ' +
    '"secrets rewrap" has run. Or set the URLs again with "notices channels update".'
  );
}

/** Seals the URLs and secrets of all channels under the current master key, one channel per transaction. */
export async function rewrapChannelTargets({
  database,
  secrets,
}: Parts): Promise<{ rewrapped: number; unreadable: number }> {
  let [rewrapped, unreadable] = [0, 0];
  for (const { tenantId, channelId } of await channelStore.listOutsideKey(database.read, secrets.keyId)) {
    await database.transaction(async (tx) => {
      const channel = await channelStore.findForUpdate(tx, tenantId, channelId);
      if (!channel?.target || channel.target.keyId === secrets.keyId) return;
      const binding = targetBinding(tenantId, channelId);
      const opened = secrets.open(channel.target, binding);
      if (opened) {
        await channelStore.save(tx, tenantId, { ...channel, target: secrets.seal(opened, binding) });
        rewrapped += 1;
      } else if (!isMemoryKey(channel.target.keyId)) unreadable += 1;
    });
  }
  return { rewrapped, unreadable };
}
