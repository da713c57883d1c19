import { bytesEqual } from '../encoding/bytes.ts';
import { rewrapOutbox } from './outbox/outbox.ts';
import { decodeKeyFile, encodeKeyFile, KEY_FILE_LIMIT_BYTES } from './segments/segment-format.ts';
import { keyFile } from './segments/segment-name.ts';
import type { SegmentPorts } from './segments/segment-writer.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/** Wraps every data key under the current storage key. After an interruption it skips what is already done. */
export async function rewrapStore(store: UnlockedStore, ports: SegmentPorts): Promise<void> {
  const events = store.catalog.segments.filter(({ opener }) => opener !== undefined);
  // The new journal segment is wrapped under the current key, and it replaces the segments before it.
  await store.journal.restart();
  for (const { name } of events) {
    await rewrapKeyFile(name, ports);
  }
  if (store.outbox !== undefined) {
    await rewrapOutbox(ports, store.outbox.number);
  }
}

async function rewrapKeyFile(segment: string, { storage, keys }: SegmentPorts): Promise<void> {
  const file = decodeKeyFile(await storage.read(keyFile(segment), KEY_FILE_LIMIT_BYTES));
  if (file === undefined) {
    return;
  }
  const wrapped = await keys.rewrapDataKey(file.wrapped);
  if (!bytesEqual(wrapped, file.wrapped)) {
    await storage.replace(keyFile(segment), encodeKeyFile({ id: file.id, wrapped }));
  }
}
