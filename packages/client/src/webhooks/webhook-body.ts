import type { Event } from '../schemas.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/** An event as the service delivers it. Newer services may add members: ignore those that you do not know. */
export type WebhookEvent = Event;

/** The body exactly as received: its bytes are signed. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The default maximum size of a delivery, 1 MiB: four times the largest event of the contract. */
export const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

const EVENT_ID = /^[\x21-\x7e]{1,128}$/;

/** @throws TypeError for a parsed body; WebhookVerificationError `body_too_large` */
export function toBodyBytes(rawBody: RawBody, limitBytes: number): Uint8Array {
  if (typeof rawBody === 'string') return within(new TextEncoder().encode(rawBody), limitBytes);
  if (rawBody instanceof Uint8Array) return within(rawBody, limitBytes);
  if (rawBody instanceof ArrayBuffer) return within(new Uint8Array(rawBody), limitBytes);
  throw new TypeError(
    'rawBody must be the received bytes, as string, Uint8Array or ArrayBuffer: a parsed body cannot be verified.',
  );
}

/** @throws WebhookVerificationError `body_too_large` */
export function assertWithin(lengthBytes: number, limitBytes: number): void {
  if (lengthBytes > limitBytes) {
    throw new WebhookVerificationError('body_too_large', `The body exceeds ${limitBytes} bytes.`);
  }
}

/**
 * Parses a body whose signature was verified. The service is trusted to send valid events; only the event id is checked,
 * because deduplication depends on it.
 *
 * @throws WebhookVerificationError `body_not_json` or `body_not_event`
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = parseJson(body);
  const isEvent =
    typeof value === 'object' &&
    value !== null &&
    'event_id' in value &&
    typeof value.event_id === 'string' &&
    EVENT_ID.test(value.event_id);
  if (!isEvent)
    throw new WebhookVerificationError('body_not_event', 'The body is not an event with an event_id.');
  return value as WebhookEvent;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // Without the cause: V8 quotes the text in its message, and a body must not end up in a log.
    throw new WebhookVerificationError('body_not_json', 'The body is not JSON in UTF-8.');
  }
}

function within(bytes: Uint8Array, limitBytes: number): Uint8Array {
  assertWithin(bytes.byteLength, limitBytes);
  return bytes;
}
