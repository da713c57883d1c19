import type { EventIdClaim, EventIdStore } from './event-id-store.ts';
import {
  assertRules,
  type VerificationRules,
  type VerifiedWebhook,
  verifyWebhook,
} from './verify-webhook.ts';
import { DEFAULT_BODY_LIMIT_BYTES, type RawBody } from './webhook-body.ts';
import type { WebhookHeaders } from './webhook-headers.ts';
import { type WebhookVerificationCode, WebhookVerificationError } from './webhook-verification-error.ts';

/** How a receiver verifies and handles deliveries. */
export interface WebhookReceiverOptions extends VerificationRules {
  /**
   * Handles a verified, new event. When it resolves, the event counts as handled; when it rejects, the service sends the
   * event again. The service waits 10 seconds for the answer: put long work into a queue.
   */
  readonly onEvent: (delivery: VerifiedWebhook) => unknown;
  /** Called when the handler, the store or the configuration fails. Not called for refused deliveries. */
  readonly onError: (error: unknown) => void;
  /** Stores which events were handled. */
  readonly store: EventIdStore;
  /** Default true: the service always signs the time, so that a delivery without it is not from the service. */
  readonly requireSignedTimestamp?: boolean;
  /** Unix milliseconds (default `Date.now`). */
  readonly clock?: () => number;
}

/** A request, independent of any framework. */
export interface WebhookRequest {
  readonly method: string;
  readonly headers: WebhookHeaders;
  /** The received body, or a function that reads it and rejects with `body_too_large` beyond the limit. */
  readonly rawBody: RawBody | ((limitBytes: number) => Promise<RawBody>);
}

/** The answer to send for a delivery. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

const BUSY_RETRY_AFTER_S = 5;

const REFUSAL_STATUS: Readonly<Record<WebhookVerificationCode, number>> = {
  missing_header: 400,
  malformed_header: 400,
  headers_disagree: 400,
  timestamp_out_of_tolerance: 401,
  signature_mismatch: 401,
  body_too_large: 413,
  body_incomplete: 400,
  body_not_json: 400,
  body_not_event: 400,
};

/** @throws TypeError for invalid options */
export function assertReceiverOptions(options: WebhookReceiverOptions): void {
  assertRules(options);
  if (typeof options.onEvent !== 'function') throw new TypeError('onEvent must be a function.');
  if (typeof options.onError !== 'function') throw new TypeError('onError must be a function.');
  if (typeof options.store?.claim !== 'function') throw new TypeError('store must be an EventIdStore.');
}

/**
 * Receives one delivery: verifies it, skips an event that was handled before, calls `onEvent` otherwise, and returns the
 * answer to send. Never rejects.
 *
 * 200: handled now or before. 400, 401, 413: refused, and the service does not send it again. 405: not a POST. 500: the
 * handler failed; 503: the store failed, or the event is being handled. After 500 and 503 the service sends it again.
 */
export async function receiveWebhook(
  request: WebhookRequest,
  options: WebhookReceiverOptions,
): Promise<WebhookAnswer> {
  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', 'Deliveries use POST.', { allow: 'POST' });
  }
  try {
    const delivery = await verifyRequest(request, options);
    return await handleOnce(delivery, options);
  } catch (error) {
    if (error instanceof WebhookVerificationError) {
      return refusal(REFUSAL_STATUS[error.code], error.code, error.message);
    }
    report(options, error);
    return refusal(500, 'receiver_failed', 'The receiver is misconfigured.');
  }
}

async function verifyRequest(
  { headers, rawBody }: WebhookRequest,
  options: WebhookReceiverOptions,
): Promise<VerifiedWebhook> {
  const {
    clock = Date.now,
    bodyLimitBytes = DEFAULT_BODY_LIMIT_BYTES,
    requireSignedTimestamp = true,
  } = options;
  const body = typeof rawBody === 'function' ? await rawBody(bodyLimitBytes) : rawBody;
  const nowS = Math.floor(clock() / 1000);
  return verifyWebhook({ ...options, headers, rawBody: body, requireSignedTimestamp, nowS });
}

async function handleOnce(
  delivery: VerifiedWebhook,
  options: WebhookReceiverOptions,
): Promise<WebhookAnswer> {
  const claim = await takeClaim(delivery, options);
  switch (claim?.status) {
    case undefined:
      return refusal(503, 'store_unavailable', 'The event id store is unavailable.');
    case 'handled':
      return success('duplicate');
    case 'busy':
      return refusal(503, 'in_progress', 'The event is being handled.', {
        'retry-after': String(BUSY_RETRY_AFTER_S),
      });
    case 'claimed':
      return handleClaimed(claim, delivery, options);
  }
}

async function takeClaim(
  { event, eventId }: VerifiedWebhook,
  { store, onError }: WebhookReceiverOptions,
): Promise<EventIdClaim | undefined> {
  try {
    // Devices choose the ids of events, which are unique per tenant only.
    return await store.claim(`${event.tenant_id}/${eventId}`);
  } catch (error) {
    report({ onError }, error);
    return undefined;
  }
}

async function handleClaimed(
  claim: Extract<EventIdClaim, { status: 'claimed' }>,
  delivery: VerifiedWebhook,
  options: WebhookReceiverOptions,
): Promise<WebhookAnswer> {
  try {
    await options.onEvent(delivery);
  } catch (error) {
    report(options, error);
    // A claim that cannot be released expires.
    await claim.release().catch((releaseError: unknown) => report(options, releaseError));
    return refusal(500, 'handler_failed', 'The event could not be handled.');
  }
  // Success even if this fails: sending the event again would cause a certain duplicate instead of a possible one.
  await claim.confirm().catch((error: unknown) => report(options, error));
  return success('handled');
}

/** A failing `onError` must not cost the answer. */
function report({ onError }: Pick<WebhookReceiverOptions, 'onError'>, error: unknown): void {
  try {
    onError(error);
  } catch {}
}

function success(status: 'handled' | 'duplicate'): WebhookAnswer {
  return toAnswer(200, { status }, {});
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): WebhookAnswer {
  return toAnswer(status, { error: { code, message, status } }, headers);
}

function toAnswer(status: number, body: unknown, headers: Record<string, string>): WebhookAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
