import type { EventBatchResult } from '@tps/contract';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../ports/transport.ts';
import { eventNumber } from '../testing/known-device.ts';
import { judge } from './follow-up.ts';

const events = [eventNumber(1), eventNumber(2), eventNumber(3)];
const one = [eventNumber(1)];

function answered(...results: EventBatchResult[]): Outcome<readonly EventBatchResult[]> {
  return { kind: 'answered', status: 200, body: results, serviceTimeMs: undefined };
}

function result(number: number, status: number, code?: string): EventBatchResult {
  const error = code === undefined ? {} : { error: { code, message: 'No.', status } };
  return { event_id: `evt_${number}`, status, ...error };
}

function refused(status: number, code: string | undefined, retryAfterMs?: number): Outcome<never> {
  return { kind: 'refused', status, code, message: 'No.', retryAfterMs, serviceTimeMs: undefined };
}

describe('an answer to a batch', () => {
  test('archives what was stored or known, and refuses what will never be accepted', () => {
    const answer = answered(result(1, 201), result(2, 200), result(3, 409, 'event_id_conflict'));
    expect(judge(answer, events, false)).toEqual({
      kind: 'settle',
      verdicts: [
        { eventId: 'evt_1', kind: 'archived' },
        { eventId: 'evt_2', kind: 'archived' },
        { eventId: 'evt_3', kind: 'refused', status: 409, code: 'event_id_conflict' },
      ],
    });
  });

  test.each([429, 500, 503])('keeps an event that the service could not store now (%i)', (status) => {
    const judgement = judge(answered(result(1, 201), result(2, status), result(3, 201)), events, false);
    expect(judgement).toMatchObject({ kind: 'settle', retry: {} });
    expect(judgement).toHaveProperty('verdicts', [
      { eventId: 'evt_1', kind: 'archived' },
      { eventId: 'evt_3', kind: 'archived' },
    ]);
  });

  test('says nothing of an event that it does not name in its place', () => {
    const judgement = judge(answered(result(2, 201), result(1, 201)), events, false);
    expect(judgement).toMatchObject({ kind: 'settle', verdicts: [], retry: {} });
  });
});

describe('a refusal of the whole request', () => {
  test.each([
    [401, 'invalid_credentials'],
    [401, 'invalid_signature'],
    [403, 'device_revoked'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [415, 'unsupported_media_type'],
  ])('stops on %i %s', (status, code) => {
    const judgement = judge(refused(status, code), events, false);
    expect(judgement).toMatchObject({ kind: 'stop' });
    expect(judgement).toHaveProperty('reason', expect.stringContaining(code));
  });

  test('is tried again at once when the clock that dated it was off', () => {
    expect(judge(refused(401, 'invalid_signature'), events, true)).toEqual({ kind: 'sign_anew' });
    expect(judge(refused(401, 'invalid_credentials'), events, true)).toMatchObject({ kind: 'stop' });
  });

  test.each([
    [413, 'payload_too_large'],
    [413, undefined],
    [400, 'invalid_field'],
  ])('splits a batch on %i %s, and refuses a single event', (status, code) => {
    expect(judge(refused(status, code), events, false)).toEqual({ kind: 'split' });
    expect(judge(refused(status, code), one, false)).toEqual({
      kind: 'settle',
      verdicts: [{ eventId: 'evt_1', kind: 'refused', status, code: code ?? 'payload_too_large' }],
    });
  });

  test.each([
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'unavailable'],
    [401, 'replayed_request'],
  ])('is retried on %i %s, no sooner than the service says', (status, code) => {
    expect(judge(refused(status, code, 7000), one, false)).toMatchObject({
      kind: 'retry',
      retryAfterMs: 7000,
    });
  });

  test.each([302, 400, 401, 403, 404, 502])('is retried when %i does not come from the API', (status) => {
    expect(judge(refused(status, undefined), one, false)).toMatchObject({ kind: 'retry' });
  });
});

test('what was not answered is retried', () => {
  expect(judge({ kind: 'unreachable', message: 'No route.' }, one, false)).toEqual({
    kind: 'retry',
    reason: 'No route.',
    retryAfterMs: undefined,
  });
});
