import { afterEach, expect, test, vi } from 'vitest';
import { type ApiError, toApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/transport-errors.ts';
import { parseRetryAfterMs, type RetryRules, retryDelayMs } from './retry.ts';

afterEach(() => vi.restoreAllMocks());

function errorOf(status: number, retryAfterMs?: number): ApiError {
  return toApiError({ status, code: 'c', message: 'm', requestId: undefined, retryAfterMs });
}

function delay(error: unknown, failed: number, rules: RetryRules = {}) {
  return retryDelayMs(error, failed, { retryOn: 'any-failure', rules });
}

test('the pause is uniform in a range that doubles up to a bound', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  const rules = { attempts: 9, baseDelayMs: 100, maxDelayMs: 500 };
  expect(delay(errorOf(503), 3, rules)).toBe(0);
  random.mockReturnValue(1);
  const failures = [1, 2, 3, 4, 5];
  expect(failures.map((failed) => delay(errorOf(503), failed, rules))).toEqual([100, 200, 400, 500, 500]);
});

test('Retry-After is the minimum pause, and jitter is added to it', () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5);
  expect(delay(errorOf(429, 3_000), 1)).toBe(3_000);
  expect(delay(errorOf(429, 3_000), 1)).toBe(3_125);
});

test('a Retry-After above the limit ends the call', () => {
  expect(delay(errorOf(429, 60_001), 1)).toBeUndefined();
  expect(delay(errorOf(429, 60_000), 1)).toBeGreaterThanOrEqual(60_000);
});

test.each([400, 401, 403, 404, 409, 412, 422, 501])('%d would be refused again', (status) => {
  expect(delay(errorOf(status), 1)).toBeUndefined();
});

test('the number of attempts is limited', () => {
  expect(delay(new ConnectionError(), 3)).toBeDefined();
  expect(delay(new ConnectionError(), 4)).toBeUndefined();
  expect(delay(new ConnectionError(), 1, { attempts: 1 })).toBeUndefined();
});

test('Retry-After is seconds or a date', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfterMs('7', nowMs)).toBe(7_000);
  expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:09 GMT', nowMs)).toBe(9_000);
  expect(parseRetryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', nowMs)).toBe(0);
  expect(parseRetryAfterMs('soon', nowMs)).toBeUndefined();
  expect(parseRetryAfterMs(null, nowMs)).toBeUndefined();
});
