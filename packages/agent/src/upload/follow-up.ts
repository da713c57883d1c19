import type { Event, EventBatchResult } from '@tps/contract';
import { errorOf } from '../errors/api-error.ts';
import type { Outcome } from '../ports/transport.ts';
import type { Verdict } from '../store/event-store.ts';

/** What is to be done after an attempt to upload. */
export type Judgement =
  /** Note the verdicts. `retry` tells why events are left that have none, and that they are to be sent later. */
  | { readonly kind: 'settle'; readonly verdicts: readonly Verdict[]; readonly retry?: Retry }
  /** Send fewer at once: the request was too large, or something in it was not accepted. */
  | { readonly kind: 'split' }
  | ({ readonly kind: 'retry' } & Retry)
  /** Sign anew at once: the request was dated by a clock that was off, and now it is known by how much. */
  | { readonly kind: 'sign_anew' }
  /** Nothing will be accepted until somebody does something about it. */
  | { readonly kind: 'stop'; readonly reason: string };

export interface Retry {
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
}

type Refused = Extract<Outcome<unknown>, { kind: 'refused' }>;

/**
 * Judges what came of sending a batch. Pure.
 *
 * Only an answer of the API itself can stop the agent or refuse an event: what a proxy or a captive portal says, which
 * has no error code, is retried. A single event that is too large is refused whoever says so.
 *
 * @param wasMisdated the request was signed with a time that, as the answer shows, the service does not accept
 */
export function judge(
  outcome: Outcome<readonly EventBatchResult[]>,
  events: readonly Event[],
  wasMisdated: boolean,
): Judgement {
  if (outcome.kind === 'unreachable') {
    return { kind: 'retry', reason: outcome.message, retryAfterMs: undefined };
  }
  return outcome.kind === 'answered'
    ? judgeResults(outcome.body, events)
    : judgeRefusal(outcome, events, wasMisdated);
}

function judgeResults(results: readonly EventBatchResult[], events: readonly Event[]): Judgement {
  const verdicts: Verdict[] = [];
  let retry: Retry | undefined;
  for (const [index, { event_id: eventId }] of events.entries()) {
    const result = results[index];
    // Results come in the order sent. One that names another event is no answer about this one.
    const status = result !== undefined && result.event_id === eventId ? result.status : 0;
    if (status >= 200 && status < 300) {
      verdicts.push({ eventId, kind: 'archived' });
    } else if (status >= 400 && status < 500 && status !== 429) {
      verdicts.push({ eventId, kind: 'refused', status, code: errorOf(result)?.code ?? 'unknown' });
    } else {
      retry = { reason: `The service could not store every event (${status}).`, retryAfterMs: undefined };
    }
  }
  return { kind: 'settle', verdicts, ...(retry === undefined ? {} : { retry }) };
}

function judgeRefusal(refused: Refused, events: readonly Event[], wasMisdated: boolean): Judgement {
  const { status, code, message } = refused;
  if (status === 413) return isolate(refused, events);
  if (status === 429 || status >= 500 || code === undefined || code === 'replayed_request') {
    return { kind: 'retry', reason: `${status}: ${message}`, retryAfterMs: refused.retryAfterMs };
  }
  if (code === 'invalid_signature' && wasMisdated) return { kind: 'sign_anew' };
  if (status === 400 || status === 409 || status === 422) return isolate(refused, events);
  return { kind: 'stop', reason: `${status} ${code}: ${message}` };
}

/** Also for a body that is not accepted: smaller and smaller parts show which event it is. */
function isolate({ status, code }: Refused, events: readonly Event[]): Judgement {
  const [only, ...others] = events;
  if (only === undefined || others.length > 0) return { kind: 'split' };
  const verdict = {
    eventId: only.event_id,
    kind: 'refused',
    status,
    code: code ?? 'payload_too_large',
  } as const;
  return { kind: 'settle', verdicts: [verdict] };
}
