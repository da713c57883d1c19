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
  // Not a time at all: the usual pause.
  ['-1', 1000],
  ['soon', 1000],
  ['Mon, 02 Mar 2026 09:00:07 GMT', 7000],
  ['Mon, 02 Mar 2026 08:00:00 GMT', 1000],
])('Retry-After: %s waits %i ms', (header, delayMs) => {
  expect(step(answered(429, header))).toMatchObject({ kind: 'retry', delayMs });
});

test.each([
  ['11', 11_000],
  ['120', 120_000],
  ['Mon, 02 Mar 2026 09:00:30 GMT', 30_000],
  // A day at most.
  ['999999999', 86_400_000],
])('Retry-After: %s ends the attempts and asks for %i ms without requests', (header, pauseMs) => {
  const until = new Date(NOW_MS + pauseMs).toISOString();
  expect(step(answered(503, header))).toEqual({
    kind: 'failed',
    error: `The receiver responded with 503 and asked for no requests before ${until}`,
    isGone: false,
    isTransient: true,
    silentUntilMs: NOW_MS + pauseMs,
  });
});

test('Retry-After counts after the last attempt, and only with 429 and 5xx', () => {
  expect(step(answered(429, '8'), { attempts: 3 })).toMatchObject({ silentUntilMs: NOW_MS + 8_000 });
  expect(step(answered(400, '120'))).not.toHaveProperty('silentUntilMs');
});
