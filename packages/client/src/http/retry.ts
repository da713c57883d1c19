import { ApiError } from '../errors/api-error.ts';
import { ConnectionError, TimeoutError } from '../errors/transport-errors.ts';

/** When a failed request is sent again. */
export interface RetryRules {
  /** Maximum number of attempts, including the first (default 4). */
  readonly attempts?: number;
  /** Longest pause before the second attempt (default 250); it doubles with each further one. */
  readonly baseDelayMs?: number;
  /** Longest pause that the client chooses (default 10,000). */
  readonly maxDelayMs?: number;
  /** Longest `Retry-After` to wait for (default 60,000); a longer one ends the call with the error. */
  readonly maxRetryAfterMs?: number;
}

/**
 * After which failures a request may be repeated. `any-failure`: a repetition is safe. `rate-limit`: only after 429,
 * because after any other failure, including 503, it may have taken effect. `nothing`: it cannot be sent twice.
 */
export type RetryOn = 'any-failure' | 'rate-limit' | 'nothing';

const DEFAULTS = { attempts: 4, baseDelayMs: 250, maxDelayMs: 10_000, maxRetryAfterMs: 60_000 };

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || (error.status >= 500 && error.status !== 501);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/**
 * Returns the pause after the nth failed attempt in a row; undefined when the request must not be repeated.
 *
 * Full jitter: uniform between 0 and an upper bound that doubles. The jitter is added to a `Retry-After`, so that clients
 * which received the same second do not all return in it.
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

/** Returns the `Retry-After` of an error; 0 without one. */
export function toRetryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/** Returns a random pause after the nth failure. */
export function jitterMs(failed: number, rules: RetryRules): number {
  const { baseDelayMs, maxDelayMs } = { ...DEFAULTS, ...rules };
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (failed - 1));
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfterMs(value: string | null, nowMs = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
