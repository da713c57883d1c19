import { readJson } from '@tps/contract/json';
import { SEVERITIES } from '@tps/contract/vocabulary';
import { encodeText } from '../../encoding/bytes.ts';
import type { LocalEvent, NewRecord } from '../event-store.ts';
import { MAX_PLAINTEXT_BYTES } from './segment-format.ts';

/** The plaintext of a record, as JSON: an event, its times, and the hash of the record before it. */
export interface RecordContent {
  readonly number: number;
  readonly event: LocalEvent;
  readonly createdAt: string;
  readonly enrichedAt: string;
  readonly persistedAt: string;
  /** SHA-256 of the plaintext of the record before it, in either lane; undefined for the first. */
  readonly previous_event_hash?: string;
}

/** Room for the number, times and hash that the store adds. */
const ADDED_BYTES = 512;

/** Returns the approximate size of a record. @throws TypeError when it exceeds the maximum */
export function assertFits({ event }: NewRecord): number {
  const text = JSON.stringify(event);
  // A UTF-16 code unit takes at most three bytes, so only large records have to be counted exactly.
  const isSmall = 3 * text.length + ADDED_BYTES <= MAX_PLAINTEXT_BYTES;
  const bytes = (isSmall ? text.length : encodeText(text).length) + ADDED_BYTES;
  if (bytes > MAX_PLAINTEXT_BYTES) {
    throw new TypeError(`An event must have at most ${MAX_PLAINTEXT_BYTES - ADDED_BYTES} bytes of JSON.`);
  }
  return bytes;
}

export function encodeRecord(content: RecordContent): string {
  return JSON.stringify(content);
}

/** Parses what `encodeRecord` wrote. The plaintext was authenticated, so its shape is trusted. */
export function decodeRecord(text: string): RecordContent {
  return readJson(text) as RecordContent;
}

/** Returns the severity as a number, 0 for low to 3 for critical. */
export function toRank({ severity }: Pick<LocalEvent, 'severity'>): number {
  return SEVERITIES.indexOf(severity);
}

/** Hashes an id with FNV-1a. The hash narrows a search to few records, so that ids need not be held in memory. */
export function hashId(eventId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < eventId.length; index += 1) {
    hash = Math.imul(hash ^ eventId.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
