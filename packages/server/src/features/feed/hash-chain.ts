import { hash } from 'node:crypto';

/** Hashes an event's stored text: SHA-256. */
export function eventHashOf(body: string): Buffer {
  return hash('sha256', body, 'buffer');
}

/**
 * Returns the chain hash of an event: SHA-256 of the previous chain hash (32 zero bytes at first) and the event's
 * hash.
 */
export function nextChainHash(before: Uint8Array, eventHash: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([before, eventHash]), 'buffer');
}
