import type { Event } from '@tps/contract';
import { bytesEqual, concatBytes, viewOf } from '../../encoding/bytes.ts';
import type { DataKey } from '../../ports/keys.ts';
import type { SentEnd } from '../journal/journal-record.ts';
import type { Outcome, StoredEntry } from '../segments/segment.ts';
import {
  additionalDataOf,
  decodeKeyFile,
  encodeKeyFile,
  nonceOf,
  SEGMENT_ID_BYTES,
} from '../segments/segment-format.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import { decodeText, encodeText } from '../segments/text.ts';

/** A batch is at most an eighth of the budget, and the service takes 5 MiB. */
const OUTBOX_LIMIT_BYTES = 16 * 1024 * 1024;
const FILE_NAME = /^outbox-(\d{1,15})$/;

/** What is on disk of a sealed batch. */
export interface OutboxContent {
  readonly items: readonly { readonly number: number; readonly event: Event }[];
  /** Where the chain of sent events ends with this batch. */
  readonly end: SentEnd;
}

/** The sealed batch that is being uploaded. */
export interface Outbox extends OutboxContent {
  /** Counts the batches of this device. */
  readonly number: number;
  readonly sizeBytes: number;
  readonly outcomes: Map<number, Outcome>;
  /** Where the events are stored, for those that still are. */
  readonly entries: ReadonlyMap<number, StoredEntry>;
}

export function outboxFile(number: number): string {
  return `outbox-${number}`;
}

/** Reads the name of an outbox file: its number, or undefined for another file. */
export function parseOutboxName(name: string): number | undefined {
  const [, digits] = FILE_NAME.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Items of the batch that have no outcome yet. */
export function unsettled({ items, outcomes }: Outbox): OutboxContent['items'] {
  return items.filter(({ number }) => !outcomes.has(number));
}

/** Writes a batch under a data key of its own, wholly or not at all, and durably. Gives the size of the file. */
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
  const sealed = dataKey.seal(nonceOf(0), plaintext, additionalDataOf(outboxFile(number), id, 0));
  dataKey.destroy();
  return joinOutbox(encodeKeyFile({ id, wrapped }), sealed);
}

/** The length of the key part, the key part, and what is sealed. */
function joinOutbox(keyPart: Uint8Array, sealed: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  viewOf(length).setUint32(0, keyPart.length);
  return concatBytes([length, keyPart, sealed]);
}

function splitOutbox(bytes: Uint8Array) {
  const keyBytes = bytes.length < 4 ? 0 : viewOf(bytes).getUint32(0);
  const key = decodeKeyFile(bytes.subarray(4, 4 + keyBytes));
  return key && { key, sealed: bytes.subarray(4 + keyBytes) };
}

/** Reads a batch; undefined when the file is damaged. @throws KeyError when its key cannot be opened */
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
  const additionalData = additionalDataOf(outboxFile(number), parts.key.id, 0);
  const plaintext = key.open(nonceOf(0), parts.sealed, additionalData);
  key.destroy();
  return plaintext && { content: JSON.parse(decodeText(plaintext)), sizeBytes: bytes.length };
}

/** Wraps the data key of a batch anew. What is sealed stays as it is. */
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
