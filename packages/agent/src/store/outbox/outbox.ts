import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { bytesEqual, concatBytes, decodeText, encodeText, toDataView } from '../../encoding/bytes.ts';
import type { DataKey } from '../../ports/keys.ts';
import type { SentEnd } from '../journal/journal-record.ts';
import type { Settlement, StoredEntry } from '../segments/segment.ts';
import {
  decodeKeyFile,
  encodeKeyFile,
  SEGMENT_ID_BYTES,
  toAdditionalData,
  toNonce,
} from '../segments/segment-format.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';

/** A batch takes at most an eighth of the budget, and the service accepts 5 MiB. */
const OUTBOX_LIMIT_BYTES = 16 * 1024 * 1024;
const FILE_NAME = /^outbox-(\d{1,15})$/;

/** A sealed batch as stored on disk. */
export interface OutboxContent {
  readonly items: readonly { readonly number: number; readonly event: Event }[];
  /** The end of the chain of sent events after this batch. */
  readonly end: SentEnd;
}

/** The sealed batch in upload. */
export interface Outbox extends OutboxContent {
  /** Counts the batches of this device. */
  readonly number: number;
  readonly sizeBytes: number;
  readonly settlements: Map<number, Settlement>;
  /** The entries of those events that are still stored. */
  readonly entries: ReadonlyMap<number, StoredEntry>;
}

export function outboxFile(number: number): string {
  return `outbox-${number}`;
}

/** Parses the name of an outbox file into its number; undefined for another file. */
export function parseOutboxName(name: string): number | undefined {
  const [, digits] = FILE_NAME.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the items of the batch without a settlement. */
export function unsettled({ items, settlements }: Outbox): OutboxContent['items'] {
  return items.filter(({ number }) => !settlements.has(number));
}

/** Writes a batch under its own data key, atomically and durably. Returns the size of the file. */
export async function writeOutbox(
  { storage, keys }: SegmentPorts,
  number: number,
  content: OutboxContent,
): Promise<number> {
  const file = await sealOutbox(keys, number, content);
  await storage.replace(outboxFile(number), file);
  return file.length;
}

async function sealOutbox(keys: SegmentPorts['keys'], number: number, content: OutboxContent) {
  const { dataKey, wrapped } = await keys.createDataKey();
  const id = keys.randomBytes(SEGMENT_ID_BYTES);
  const plaintext = encodeText(JSON.stringify(content));
  const sealed = await dataKey.seal(toNonce(0), plaintext, toAdditionalData(outboxFile(number), id, 0));
  dataKey.destroy();
  return joinOutbox(encodeKeyFile({ id, wrapped }), sealed);
}

/** Joins the length of the key part, the key part and the sealed content. */
function joinOutbox(keyPart: Uint8Array, sealed: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  toDataView(length).setUint32(0, keyPart.length);
  return concatBytes([length, keyPart, sealed]);
}

function splitOutbox(bytes: Uint8Array) {
  const keyBytes = bytes.length < 4 ? 0 : toDataView(bytes).getUint32(0);
  const key = decodeKeyFile(bytes.subarray(4, 4 + keyBytes));
  return key && { key, sealed: bytes.subarray(4 + keyBytes) };
}

/** Reads a batch; undefined when the file is damaged. @throws KeyError when its key cannot be unwrapped */
export async function readOutbox(
  { storage, keys }: SegmentPorts,
  number: number,
): Promise<{ content: OutboxContent; sizeBytes: number } | undefined> {
  const bytes = await storage.read(outboxFile(number), OUTBOX_LIMIT_BYTES);
  const parts = splitOutbox(bytes);
  if (parts === undefined) {
    return undefined;
  }
  const key: DataKey = await keys.unwrapDataKey(parts.key.wrapped);
  const additionalData = toAdditionalData(outboxFile(number), parts.key.id, 0);
  const plaintext = await key.open(toNonce(0), parts.sealed, additionalData);
  key.destroy();
  return plaintext && { content: readJson(decodeText(plaintext)) as OutboxContent, sizeBytes: bytes.length };
}

/** Wraps the data key of a batch again. The sealed content does not change. */
export async function rewrapOutbox({ storage, keys }: SegmentPorts, number: number): Promise<void> {
  const parts = splitOutbox(await storage.read(outboxFile(number), OUTBOX_LIMIT_BYTES));
  if (parts === undefined) {
    return;
  }
  const wrapped = await keys.rewrapDataKey(parts.key.wrapped);
  if (!bytesEqual(wrapped, parts.key.wrapped)) {
    const keyPart = encodeKeyFile({ id: parts.key.id, wrapped });
    await storage.replace(outboxFile(number), joinOutbox(keyPart, parts.sealed));
  }
}
