import { SEVERITIES } from '@tps/contract/vocabulary';
import type { LocalEvent, NewRecord } from '../event-store.ts';
import { MAX_PLAINTEXT_BYTES } from './segment-format.ts';
import { decodeText, encodeText } from './text.ts';

/** What is encrypted: an event, its times, and the hash of the record recorded before it, as JSON. */
export interface RecordContent {
  readonly number: number;
  readonly event: LocalEvent;
  readonly createdAt: string;
  readonly enrichedAt: string;
  readonly persistedAt: string;
  /** SHA-256 of the plaintext of the record before it, in either lane; undefined for the first. */
  readonly previous_event_hash?: string;
}

/** The number, times and hash that are added to what the agent hands over. */
const ADDED_BYTES = 512;

/** Gives roughly what a record takes. @throws TypeError when it takes more than a record can hold */
export function assertFits({ event }: NewRecord): number {
  const text = JSON.stringify(event);
  // No character of it takes more than three bytes, so only few have to be counted exactly.
  const isSmall = 3 * text.length + ADDED_BYTES <= MAX_PLAINTEXT_BYTES;
  const bytes = (isSmall ? text.length : encodeText(text).length) + ADDED_BYTES;
  if (bytes > MAX_PLAINTEXT_BYTES) {
    throw new TypeError(
      `An event must not take more than ${MAX_PLAINTEXT_BYTES - ADDED_BYTES} bytes of JSON`,
    );
  }
  return bytes;
}

export function encodeRecord(content: RecordContent): string {
  return JSON.stringify(content);
}

/** Reads what `encodeRecord` wrote. It has been authenticated, so it is trusted to have that shape. */
export function decodeRecord(plaintext: Uint8Array): RecordContent {
  return JSON.parse(decodeText(plaintext)) as RecordContent;
}

/** 0 for low to 3 for critical. */
export function rankOf({ severity }: Pick<LocalEvent, 'severity'>): number {
  return SEVERITIES.indexOf(severity);
}

/** FNV-1a: finds the few places where an event may be, so that no id has to be kept in memory. */
export function hashOfId(eventId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < eventId.length; index += 1) {
    hash = Math.imul(hash ^ eventId.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
