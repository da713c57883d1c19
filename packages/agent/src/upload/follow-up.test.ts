import { ERROR_CODES, ERROR_STATUS, type EventBatchResult } from '@tps/contract';
import { describe, expect, test } from 'vitest';
import type { TransportOutcome } from '../ports/transport.ts';
import { eventNumber } from '../testing/sample-event.ts';
import { backOffMs, toFollowUp } from './follow-up.ts';

const events = [eventNumber(1), eventNumber(2), eventNumber(3)];
const one = [eventNumber(1)];

function answered(...results: EventBatchResult[]): TransportOutcome<readonly EventBatchResult[]> {
  return { kind: 'answered', status: 200, body: results, serviceTimeMs: undefined };
}

function result(number: number, status: number, code?: string): EventBatchResult {
  const error = code === undefined ? {} : { error: { code, message: 'No.', status } };
  return { event_id: `evt_${number}`, status, ...error };
}

function refused(status: number, code: string | undefined, retryAfterMs?: number): TransportOutcome<never> {
  return { kind: 'refused', status, code, message: 'No.', retryAfterMs, serviceTimeMs: undefined };
}

describe('an answer to a batch', () => {
  test('archives stored and known events, and marks a conflicting one as refused', () => {
    const answer = answered(result(1, 201), result(2, 200), result(3, 409, 'event_id_conflict'));
    expect(toFollowUp(answer, events, false)).toEqual({
      kind: 'settle',
      results: [
        { eventId: 'evt_1', kind: 'archived' },
        { eventId: 'evt_2', kind: 'archived' },
        { eventId: 'evt_3', kind: 'refused', status: 409, code: 'event_id_conflict' },
      ],
    });
  });

  test.each([429, 500, 503])('keeps an event that the service could not store yet (%i)', (status) => {
    const followUp = toFollowUp(answered(result(1, 201), result(2, status), result(3, 201)), events, false);
    expect(followUp).toMatchObject({ kind: 'settle', retry: {} });
    expect(followUp).toHaveProperty('results', [
      { eventId: 'evt_1', kind: 'archived' },
      { eventId: 'evt_3', kind: 'archived' },
    ]);
  });

  test.each([
    [401, 'invalid_signature'],
    [403, 'tenant_mismatch'],
    [404, 'not_found'],
  ])('keeps an event whose device or tenant is refused (%i %s)', (status, code) => {
    expect(toFollowUp(answered(result(1, status, code)), one, false)).toMatchObject({
      kind: 'settle',
      results: [],
      retry: { refusal: code },
    });
  });

  test('does not count for an event it names at another position', () => {
    const followUp = toFollowUp(answered(result(2, 201), result(1, 201)), events, false);
    expect(followUp).toMatchObject({ kind: 'settle', results: [], retry: {} });
  });
});

describe('a refusal of the whole request', () => {
  test.each([
    [400, 'invalid_parameter'],
    [400, 'plaintext_rejected'],
    [400, 'tenant_required'],
    [401, 'missing_credentials'],
    [401, 'invalid_credentials'],
    [401, 'invalid_signature'],
    [403, 'tenant_mismatch'],
    [403, 'device_not_registered'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [415, 'unsupported_media_type'],
  ])('is retried on %i %s, as a refusal', (status, code) => {
    for (const refusedEvents of [events, one]) {
      const followUp = toFollowUp(refused(status, code), refusedEvents, false);
      expect(followUp).toMatchObject({ kind: 'retry', refusal: code });
      expect(followUp).toHaveProperty('reason', expect.stringContaining(code));
    }
  });

  test('stops when the device is revoked, and for no other error of the API', () => {
    const stopping = ERROR_CODES.filter(
      (code) => toFollowUp(refused(ERROR_STATUS[code], code), one, false).kind === 'stop',
    );
    expect(stopping).toEqual(['device_revoked']);
  });

  test('is signed again at once when the clock that dated it was off', () => {
    expect(toFollowUp(refused(401, 'invalid_signature'), events, true)).toEqual({ kind: 'sign_again' });
    expect(toFollowUp(refused(401, 'invalid_credentials'), events, true)).toMatchObject({ kind: 'retry' });
  });

  test.each([
    [413, 'payload_too_large'],
    [413, undefined],
    [400, 'invalid_field'],
  ])('splits a batch on %i %s, and refuses a single event', (status, code) => {
    expect(toFollowUp(refused(status, code), events, false)).toEqual({ kind: 'split' });
    expect(toFollowUp(refused(status, code), one, false)).toEqual({
      kind: 'settle',
      results: [{ eventId: 'evt_1', kind: 'refused', status, code: code ?? 'payload_too_large' }],
    });
  });

  test.each([
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'unavailable'],
    [401, 'replayed_request'],
  ])('is retried on %i %s, after Retry-After', (status, code) => {
    expect(toFollowUp(refused(status, code, 7000), one, false)).toMatchObject({
      kind: 'retry',
      retryAfterMs: 7000,
    });
  });

  test.each([302, 400, 401, 403, 404, 502])('is retried when the %i does not come from the API', (status) => {
    expect(toFollowUp(refused(status, undefined), one, false)).toMatchObject({ kind: 'retry' });
  });
});

test('a request without an answer is retried', () => {
  expect(toFollowUp({ kind: 'unreachable', message: 'No route.' }, one, false)).toEqual({
    kind: 'retry',
    reason: 'No route.',
    retryAfterMs: undefined,
  });
});

describe('the back-off', () => {
  const last = () => 1;
  const first = () => 0;

  const none = { retryAfterMs: undefined };

  test('doubles its window with each failure, up to five minutes, and starts at zero', () => {
    const windows = [1, 2, 3, 8, 9, 10, 2000].map((failures) => backOffMs(failures, none, last));
    expect(windows).toEqual([1000, 2000, 4000, 128_000, 256_000, 300_000, 300_000]);
    expect(backOffMs(9, none, first)).toBe(0);
  });

  test('doubles its window up to an hour while the service refuses the device', () => {
    const refusal = { retryAfterMs: undefined, refusal: 'invalid_credentials' };
    const windows = [1, 2, 9, 12, 13, 2000].map((failures) => backOffMs(failures, refusal, last));
    expect(windows).toEqual([1000, 2000, 256_000, 2_048_000, 3_600_000, 3_600_000]);
  });

  test('waits at least as long as Retry-After, and adds jitter to it', () => {
    const after = (retryAfterMs: number) => ({ retryAfterMs });
    expect(backOffMs(1, after(60_000), first)).toBe(60_000);
    expect(backOffMs(1, after(60_000), last)).toBe(120_000);
    expect(backOffMs(9, after(60_000), last)).toBe(316_000);
    expect(backOffMs(1, after(3_600_000), last)).toBe(3_900_000);
  });
});
