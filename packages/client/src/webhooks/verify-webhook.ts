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

/** How far the time of a delivery may be in the past or in the future: 5 minutes. */
const DEFAULT_TOLERANCE_S = 300;

/** The conditions for accepting a delivery. */
export interface VerificationRules {
  /** The webhook's signing secret; during a rotation the new and the old one, in any order. */
  readonly secrets: readonly string[];
  /** Maximum number of seconds between `X-Service-Timestamp` and now, in either direction (default 300). */
  readonly toleranceS?: number;
  /**
   * Refuses a delivery without the `webhook-*` headers. `X-Service-Signature` covers the body only: without those headers,
   * a recorded delivery can be sent again with a new time.
   */
  readonly requireSignedTimestamp?: boolean;
  /** Maximum size of a body (default 1 MiB). */
  readonly bodyLimitBytes?: number;
}

/** A delivery, and the conditions for accepting it. */
export interface VerifyWebhookOptions extends VerificationRules {
  readonly headers: WebhookHeaders;
  /** The received bytes. A body that was parsed and serialised again has another signature. */
  readonly rawBody: RawBody;
  /** The current time in Unix seconds (default: the clock). */
  readonly nowS?: number;
}

/** A delivery that was sent by the service, unchanged and recently. */
export interface VerifiedWebhook {
  readonly event: WebhookEvent;
  /** The same in all attempts and replays: store it to handle an event once. Unique within `event.tenant_id`. */
  readonly eventId: string;
  /** `<delivery id>.<attempt>`: different in each attempt, so it does not identify duplicates. Not signed. */
  readonly idempotencyKey: string;
  /** When the service sent it, Unix seconds. */
  readonly timestamp: number;
  /** Whether a signature covers `timestamp`; if not, it is only as trustworthy as the connection. */
  readonly isTimestampSigned: boolean;
}

/**
 * Verifies one delivery: the form of the headers, the time, `X-Service-Signature` (or `X-Service-Signature-Previous`) over
 * the body and, if the `webhook-*` headers are present, `webhook-signature` over id, time and body. A signature may be
 * made with any of the secrets. Uses only Web Crypto, so it runs wherever `fetch` does.
 *
 * @throws WebhookVerificationError when the delivery must not be trusted; `code` states the reason
 * @throws TypeError for invalid options: no secrets, a parsed body, a tolerance that is not a number
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
      'The header webhook-id differs from the event_id in the body.',
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
 * Checks the options, so that an error appears at the start and not with the first delivery.
 *
 * @throws TypeError
 */
export function assertRules({ secrets, toleranceS = 0, bodyLimitBytes = 0 }: VerificationRules): void {
  assertSecrets(secrets);
  // Comparisons with NaN are always false: as a tolerance it would accept every time.
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
    `The delivery was sent more than ${toleranceS} s ${direction} the current time.`,
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
      'X-Service-Signature does not match the body with any of the secrets.',
    );
  }
  if (!standard) return;
  const signed = concatenate(new TextEncoder().encode(`${standard.id}.${standard.timestampS}.`), body);
  if (!(await isSignedByAny(keys.standard, standard.signatures, signed))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'webhook-signature does not match the id, time and body with any of the secrets.',
    );
  }
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.byteLength + tail.byteLength);
  bytes.set(head);
  bytes.set(tail, head.byteLength);
  return bytes;
}
