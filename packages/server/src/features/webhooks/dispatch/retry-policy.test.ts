import { expect, test } from 'vitest';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import { nextStep } from './retry-policy.ts';

const NOW_MS = Date.UTC(2026, 2, 2, 9, 0, 0);

function answered(status: number, retryAfter?: string): PostOutcome {
  return { kind: 'answered', status, retryAfter, excerpt: '', durationMs: 5 };
}

function failed(reason: 'target' | 'timeout' | 'connection' | 'tls'): PostOutcome {
  return { kind: 'failed', reason, message: 'It did not work', durationMs: 5 };
}

function step(outcome: PostOutcome, { attempts = 1, isTest = false, random = 0 } = {}) {
  return nextStep(outcome, { attempts, isTest, nowMs: NOW_MS, random });
}

test.each([200, 201, 202, 204, 299])('%i is success', (status) => {
  expect(step(answered(status))).toEqual({ kind: 'delivered' });
});

test.each([429, 500, 502, 503, 504, 599])('%i is retried', (status) => {
  expect(step(answered(status))).toMatchObject({
    kind: 'retry',
    error: `The receiver responded with ${status}`,
  });
});

test.each([400, 401, 403, 404, 408, 409, 422, 451])('%i ends the delivery at once', (status) => {
  expect(step(answered(status))).toMatchObject({ kind: 'failed', isGone: false });
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) is neither followed nor retried', (status) => {
  expect(step(answered(status))).toEqual({
    kind: 'failed',
    error: `The receiver responded with ${status}; redirects are not followed`,
    isGone: false,
    isTransient: false,
  });
});

test('410 marks the receiver as gone', () => {
  expect(step(answered(410))).toMatchObject({ kind: 'failed', isGone: true, isTransient: false });
});

test.each(['timeout', 'connection', 'tls'] as const)('a failure of kind %s is retried', (reason) => {
  expect(step(failed(reason))).toMatchObject({ kind: 'retry', error: 'It did not work' });
});

test('an address that may not be called is not retried', () => {
  expect(step(failed('target'))).toMatchObject({ kind: 'failed', error: 'It did not work' });
});

test('the second attempt comes after 1 s, the third after 2 s, each up to 10 % later', () => {
  const delay = (attempts: number, random: number) => step(answered(500), { attempts, random });
  expect(delay(1, 0)).toMatchObject({ delayMs: 1000 });
  expect(delay(1, 1)).toMatchObject({ delayMs: 1100 });
  expect(delay(2, 0)).toMatchObject({ delayMs: 2000 });
  expect(delay(2, 1)).toMatchObject({ delayMs: 2200 });
});

test('the third failure is the last', () => {
  expect(step(answered(500), { attempts: 3 })).toMatchObject({
    kind: 'failed',
    isGone: false,
    isTransient: true,
  });
});

test('a test is attempted once', () => {
  expect(step(answered(500), { isTest: true })).toMatchObject({ kind: 'failed' });
});

test.each([
  ['5', 5000],
  ['10', 10_000],
  ['0', 1000],
  // Longer than is honoured, or not a time at all: the usual pause.
  ['11', 1000],
  ['999999999', 1000],
  ['-1', 1000],
  ['soon', 1000],
  ['2026', 1000],
  ['Mon, 02 Mar 2026 09:00:07 GMT', 7000],
  ['Mon, 02 Mar 2026 09:00:30 GMT', 1000],
  ['Mon, 02 Mar 2026 08:00:00 GMT', 1000],
])('Retry-After: %s waits %i ms', (header, delayMs) => {
  expect(step(answered(429, header))).toMatchObject({ kind: 'retry', delayMs });
});
