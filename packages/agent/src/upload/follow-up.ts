import type { Event, EventBatchResult } from '@tps/contract';
import { parseApiError } from '../errors/api-error.ts';
import type { TransportOutcome } from '../ports/transport.ts';
import type { UploadResult } from '../store/event-store.ts';

/** What the uploader does after an attempt. */
export type FollowUp =
  /** Store the results. With `retry`, the events without a result are sent again later, and it says why. */
  | { readonly kind: 'settle'; readonly results: readonly UploadResult[]; readonly retry?: Retry }
  /** Send fewer events at once: the request was too large, or the service rejected one of its events. */
  | { readonly kind: 'split' }
  | ({ readonly kind: 'retry' } & Retry)
  /** Sign again at once: the request was dated by a clock that was off, and the offset is now known. */
  | { readonly kind: 'sign_again' }
  /** Stop: the device is revoked, and stays so. */
  | ({ readonly kind: 'stop' } & Stop);

export interface Retry {
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** The error code of a refusal (4xx) that may be temporary, or that an operator can resolve. The pauses grow to an hour. */
  readonly refusal?: string;
}

/** A refusal that a retry does not change. */
export interface Stop {
  readonly reason: string;
  readonly refusal: string;
}

type Refusal = Extract<TransportOutcome<unknown>, { kind: 'refused' }>;

/** Statuses with which the service rejects an event for its content. Any other 4xx concerns the device or the route. */
const OF_THE_EVENT: ReadonlySet<number> = new Set([400, 409, 413, 422]);
/** Codes of 400 for how the request arrived: slowly, damaged, or at a proxy without TLS. */
const OF_THE_ARRIVAL: ReadonlySet<string> = new Set([
  'invalid_parameter',
  'plaintext_rejected',
  'tenant_required',
]);

/**
 * Maps the outcome of sending a batch to what the uploader does next. Pure.
 *
 * Only an answer of the API itself stops the agent or refuses an event. An answer without an error code comes from a
 * proxy or a captive portal and is retried. A single event that is too large (413) is refused in either case.
 *
 * A refusal of the device, its credential or the route (401, 403, 404 …) may be temporary: a restored backup, a moved
 * tenant, a wrong route, a setting of a proxy. It is retried. Only a revocation is final.
 *
 * @param wasMisdated the request was signed with a time that, by the service's clock, the service does not accept
 */
export function toFollowUp(
  outcome: TransportOutcome<readonly EventBatchResult[]>,
  events: readonly Event[],
  wasMisdated: boolean,
): FollowUp {
  switch (outcome.kind) {
    case 'unreachable':
      return { kind: 'retry', reason: outcome.message, retryAfterMs: undefined };
    case 'answered':
      return afterAnswer(outcome.body, events);
    case 'refused':
      return afterRefusal(outcome, events, wasMisdated);
  }
}

function afterAnswer(answers: readonly EventBatchResult[], events: readonly Event[]): FollowUp {
  const results: UploadResult[] = [];
  let retry: Retry | undefined;
  for (const [index, { event_id: eventId }] of events.entries()) {
    const answer = answers[index];
    // Answers come in the order sent. One that names another event does not count for this one.
    const status = answer !== undefined && answer.event_id === eventId ? answer.status : 0;
    if (status >= 200 && status < 300) {
      results.push({ eventId, kind: 'archived' });
    } else if (OF_THE_EVENT.has(status)) {
      results.push({ eventId, kind: 'refused', status, code: parseApiError(answer)?.code ?? 'unknown' });
    } else {
      const reason = `The service could not store every event (${status}).`;
      const isRefusal = status >= 400 && status < 500 && status !== 429;
      const refusal = isRefusal ? { refusal: parseApiError(answer)?.code ?? 'unknown' } : {};
      retry = { reason, retryAfterMs: undefined, ...refusal };
    }
  }
  return { kind: 'settle', results, ...(retry === undefined ? {} : { retry }) };
}

function afterRefusal(refusal: Refusal, events: readonly Event[], wasMisdated: boolean): FollowUp {
  const { status, code, message, retryAfterMs } = refusal;
  if (status === 413) return isolate(refusal, events);
  if (status === 429 || status >= 500 || code === undefined || code === 'replayed_request') {
    return { kind: 'retry', reason: `${status}: ${message}`, retryAfterMs };
  }
  if (code === 'invalid_signature' && wasMisdated) return { kind: 'sign_again' };
  if (OF_THE_EVENT.has(status) && !OF_THE_ARRIVAL.has(code)) return isolate(refusal, events);
  return afterDeviceRefusal(refusal, code);
}

/** What follows when the API refuses the device, its credential or the route, for this or another request. */
export function afterDeviceRefusal(
  { status, message, retryAfterMs }: Refusal,
  code: string,
): ({ readonly kind: 'retry' } & Retry) | ({ readonly kind: 'stop' } & Stop) {
  const reason = `${status} ${code}: ${message}`;
  if (code === 'device_revoked') return { kind: 'stop', reason, refusal: code };
  return { kind: 'retry', reason, retryAfterMs, refusal: code };
}

/** Halving the batch finds the event that is too large or that the service rejects. */
function isolate({ status, code = 'payload_too_large' }: Refusal, events: readonly Event[]): FollowUp {
  const [only, ...others] = events;
  if (only === undefined || others.length > 0) return { kind: 'split' };
  return { kind: 'settle', results: [{ eventId: only.event_id, kind: 'refused', status, code }] };
}

const BACK_OFF_BASE_MS = 1000;
/** Longest wait between two attempts that the agent itself chooses. */
const BACK_OFF_CAP_MS = 5 * 60_000;
/** Longest wait while the service refuses the device: this usually lasts until an operator acts. */
const REFUSED_CAP_MS = 3_600_000;

/**
 * Returns how long to wait after the n-th failure in a row, counted from 1: full jitter, uniform between 0 and
 * `min(cap, base · 2^(n-1))`, so that a fleet that lost its service at one moment does not come back at one moment.
 * After a `Retry-After` the jitter is added to it and is at least as wide as that wait: every device got the same second.
 */
export function backOffMs(
  failures: number,
  { retryAfterMs, refusal }: Omit<Retry, 'reason'>,
  random: () => number,
): number {
  const exponential = BACK_OFF_BASE_MS * 2 ** (failures - 1);
  if (retryAfterMs === undefined) {
    return random() * Math.min(refusal === undefined ? BACK_OFF_CAP_MS : REFUSED_CAP_MS, exponential);
  }
  return retryAfterMs + random() * Math.min(BACK_OFF_CAP_MS, Math.max(exponential, retryAfterMs));
}
