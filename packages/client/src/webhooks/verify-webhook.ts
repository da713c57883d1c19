import {
  DEFAULT_BODY_LIMIT_BYTES,
  parseEvent,
  type RawBody,
  toBodyBytes,
  type WebhookEvent,
} from './webhook-body.ts';
import { type DeliveryHeaders, parseDeliveryHeaders, type WebhookHeaders } from './webhook-headers.ts';
import { assertSecrets, importWebhookKeys, isSignedByAny } from './webhook-keys.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/** How old a delivery may be, and how far ahead its clock, unless told otherwise: 5 minutes. */
const DEFAULT_TOLERANCE_S = 300;

/** What is asked of a delivery. */
export interface VerificationRules {
  /** The webhook's signing secret; during a rotation the new one and the old one, in any order. */
  readonly secrets: readonly string[];
  /** Most seconds between `X-Service-Timestamp` and now, in either direction. 300 unless given. */
  readonly toleranceS?: number;
  /**
   * Refuses a delivery without the `webhook-*` headers. `X-Service-Signature` covers the body alone, so without them
   * whoever has recorded a delivery can send it again under a new time.
   */
  readonly requireSignedTimestamp?: boolean;
  /** Most bytes of a body. 1 MiB unless given. */
  readonly bodyLimitBytes?: number;
}

export interface VerifyWebhookOptions extends VerificationRules {
  readonly headers: WebhookHeaders;
  /** The bytes as they came. A body that was parsed and written again no longer has the same signature. */
  readonly rawBody: RawBody;
  /** Unix seconds that count as now. The clock unless given. */
  readonly nowS?: number;
}

/** A delivery that comes from the service, unchanged and in time. */
export interface VerifiedWebhook {
  readonly event: WebhookEvent;
  /** Stays over all attempts and replays: remember it to handle an event once. Unique within `event.tenant_id`. */
  readonly eventId: string;
  /** `<delivery id>.<attempt>`: another one for each attempt, so no means to tell duplicates. Not signed. */
  readonly idempotencyKey: string;
  /** When the service sent it, Unix seconds. */
  readonly timestamp: number;
  /** Whether a signature covers `timestamp`; else it is as trustworthy as the connection. */
  readonly isTimestampSigned: boolean;
}

/**
 * Verifies one delivery: form of the headers, time, `X-Service-Signature` (or `X-Service-Signature-Previous`) over the
 * body and, when the `webhook-*` headers are there, `webhook-signature` over id, time and body as well. Any of the
 * secrets will do. Uses Web Crypto alone, so it runs wherever `fetch` does.
 *
 * @throws WebhookVerificationError when the delivery must not be trusted; `code` says why
 * @throws TypeError when it is called wrongly: no secrets, a parsed body, a tolerance that is no number
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<VerifiedWebhook> {
  const { toleranceS = DEFAULT_TOLERANCE_S, nowS = Math.floor(Date.now() / 1000) } = options;
  assertRules(options);
  if (!Number.isFinite(nowS)) throw new TypeError('nowS must be a number of Unix seconds.');
  const body = toBodyBytes(options.rawBody, options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES);
  const headers = parseDeliveryHeaders(options.headers);
  if (options.requireSignedTimestamp && !headers.standard) {
    throw new WebhookVerificationError(
      'missing_header',
      'The header webhook-signature is missing, and without it the time is not signed.',
    );
  }
  assertInTime(headers.timestampS, { nowS, toleranceS });
  await assertSigned(headers, body, options.secrets);
  const event = parseEvent(body);
  if (headers.standard && headers.standard.id !== event.event_id) {
    throw new WebhookVerificationError(
      'headers_disagree',
      'The header webhook-id is not the event_id of the body.',
    );
  }
  return {
    event,
    eventId: event.event_id,
    idempotencyKey: headers.idempotencyKey,
    timestamp: headers.timestampS,
    isTimestampSigned: headers.standard !== undefined,
  };
}

/**
 * Checks what the programmer gives, so that a mistake shows at the start and not with the first delivery.
 *
 * @throws TypeError
 */
export function assertRules({ secrets, toleranceS = 0, bodyLimitBytes = 0 }: VerificationRules): void {
  assertSecrets(secrets);
  // NaN compares as false with everything: as a tolerance it would let every time pass.
  if (!Number.isFinite(toleranceS) || toleranceS < 0) {
    throw new TypeError('toleranceS must be a number of seconds, 0 or more.');
  }
  if (!Number.isFinite(bodyLimitBytes) || bodyLimitBytes < 0) {
    throw new TypeError('bodyLimitBytes must be a number of bytes, 0 or more.');
  }
}

function assertInTime(timestampS: number, { nowS, toleranceS }: { nowS: number; toleranceS: number }): void {
  if (Math.abs(nowS - timestampS) <= toleranceS) return;
  const direction = timestampS < nowS ? 'before' : 'after';
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `The delivery was sent more than ${toleranceS} s ${direction} the time of this clock.`,
  );
}

async function assertSigned(
  { bodySignatures, standard }: DeliveryHeaders,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<void> {
  const keys = await importWebhookKeys(secrets);
  if (!(await isSignedByAny(keys.body, bodySignatures, body))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'X-Service-Signature was not made of this body with one of the secrets.',
    );
  }
  if (!standard) return;
  const signed = concatenate(new TextEncoder().encode(`${standard.id}.${standard.timestampS}.`), body);
  if (!(await isSignedByAny(keys.standard, standard.signatures, signed))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'webhook-signature was not made of this id, time and body with one of the secrets.',
    );
  }
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.byteLength + tail.byteLength);
  bytes.set(head);
  bytes.set(tail, head.byteLength);
  return bytes;
}
