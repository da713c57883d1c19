import type { Event } from '../schemas.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/** An event as the service delivers it. Whoever adds to it later adds members, so ignore those you do not know. */
export type WebhookEvent = Event;

/** The body exactly as it came over the wire: what is signed are its bytes. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Most bytes of a delivery that are taken unless told otherwise: 1 MiB. The largest event of the contract is a quarter of it. */
export const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

const EVENT_ID = /^[\x21-\x7e]{1,128}$/;

/** @throws TypeError when the body is something parsed; WebhookVerificationError `body_too_large` */
export function toBodyBytes(rawBody: RawBody, limitBytes: number): Uint8Array {
  if (typeof rawBody === 'string') return within(new TextEncoder().encode(rawBody), limitBytes);
  if (rawBody instanceof Uint8Array) return within(rawBody, limitBytes);
  if (rawBody instanceof ArrayBuffer) return within(new Uint8Array(rawBody), limitBytes);
  throw new TypeError(
    'rawBody must be the bytes as they came: what a JSON parser made of them cannot be verified.',
  );
}

/** @throws WebhookVerificationError `body_too_large` */
export function assertWithin(lengthBytes: number, limitBytes: number): void {
  if (lengthBytes > limitBytes) {
    throw new WebhookVerificationError('body_too_large', `The body is longer than ${limitBytes} bytes.`);
  }
}

/**
 * Reads a body whose signature was verified. The service is trusted with the form of its events; checked is what
 * everything after this relies on.
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
    // Without the cause: V8 quotes the text in its message, and a body does not belong into a log.
    throw new WebhookVerificationError('body_not_json', 'The body is not JSON in UTF-8.');
  }
}

function within(bytes: Uint8Array, limitBytes: number): Uint8Array {
  assertWithin(bytes.byteLength, limitBytes);
  return bytes;
}
