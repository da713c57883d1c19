import { afterEach, expect, test, vi } from 'vitest';
import { toApiError } from '../errors/api-error.ts';
import { outagePauseMs } from './outage.ts';

const RULES = { baseDelayMs: 500, maxDelayMs: 30_000 };

function pauses(status: number, retryAfterMs?: number): number[] {
  const error = toApiError({ status, code: 'c', message: 'm', requestId: undefined, retryAfterMs });
  return [1, 2, 7, 13, 14, 2000].map((failed) => outagePauseMs(error, failed, RULES));
}

afterEach(() => vi.restoreAllMocks());

test('pauses double up to the bound of the loop, and up to an hour after refusals', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  expect(pauses(503)).toEqual([500, 1000, 30_000, 30_000, 30_000, 30_000]);
  expect(pauses(401)).toEqual([500, 1000, 32_000, 2_048_000, 3_600_000, 3_600_000]);
});

test('a Retry-After counts up to an hour: a timer that overflows would end at once', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(pauses(429, 7_000)).toEqual(Array(6).fill(7_000));
  expect(pauses(429, 30 * 86_400_000)).toEqual(Array(6).fill(3_600_000));
});
