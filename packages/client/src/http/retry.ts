import { ApiError } from '../errors/api-error.ts';
import { ConnectionError, TimeoutError } from '../errors/transport-errors.ts';

/** When a failed request is sent again. */
export interface RetryRules {
  /** Attempts in all, the first included; 1 never repeats. 4 unless given. */
  readonly attempts?: number;
  /** Longest pause before the second attempt; it doubles with each further one. 250 unless given. */
  readonly baseDelayMs?: number;
  /** Longest pause that the client chooses. 10,000 unless given. */
  readonly maxDelayMs?: number;
  /** Longest `Retry-After` that is waited for; a longer one ends the call with the error. 60,000 unless given. */
  readonly maxRetryAfterMs?: number;
}

/**
 * What a request may be repeated after. `any-failure`: its repetition changes nothing. `rate-limit`: only after 429,
 * since anything else, 503 included, leaves open whether it was done. `nothing`: it cannot be sent twice.
 */
export type RetryOn = 'any-failure' | 'rate-limit' | 'nothing';

const DEFAULTS = { attempts: 4, baseDelayMs: 250, maxDelayMs: 10_000, maxRetryAfterMs: 60_000 };

/** Tells whether the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || (error.status >= 500 && error.status !== 501);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/**
 * Gives the pause after the nth attempt in a row that failed; undefined when there must be no other one.
 *
 * Full jitter: drawn from 0 to an upper bound that doubles. A `Retry-After` is a least, to which the draw is added, so
 * that those who were all told the same second do not all come in it.
 */
export function retryDelayMs(
  error: unknown,
  failed: number,
  { retryOn, rules }: { retryOn: RetryOn; rules: RetryRules },
): number | undefined {
  const { attempts, maxRetryAfterMs } = { ...DEFAULTS, ...rules };
  if (failed >= attempts || !isTransient(error) || retryOn === 'nothing') return undefined;
  const isRefused = error instanceof ApiError && error.status === 429;
  if (retryOn === 'rate-limit' && !isRefused) return undefined;
  const askedMs = toRetryAfterMs(error);
  return askedMs > maxRetryAfterMs ? undefined : askedMs + jitterMs(failed, rules);
}

/** Gives how long the answer asks to wait; 0 when it does not say. */
export function toRetryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/** Draws a pause after the nth failure. */
export function jitterMs(failed: number, rules: RetryRules): number {
  const { baseDelayMs, maxDelayMs } = { ...DEFAULTS, ...rules };
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (failed - 1));
}

/** Reads `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfterMs(value: string | null, nowMs = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
