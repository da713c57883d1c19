import type { Share } from './share.ts';

/** A limiter's answer to one request, as sent in the `X-RateLimit-*` headers. */
export type Admission = {
  allowed: boolean;
  limit: number;
  /** Requests that would still be admitted now. */
  remaining: number;
  /** Unix seconds, rounded up, at which the oldest admission leaves the window. */
  resetAt: number;
  /** Whole seconds after which a refused request would be admitted if no other came first: at least 1; 0 if allowed. */
  retryAfterSeconds: number;
};

/**
 * Admits at most `limit` requests of a key in any window of the limiter's length. Refused requests do not count. With a
 * share, it also keeps the parts of the key, and the holders of a part, from each other's requests.
 */
export type RateLimiter = {
  admit(key: string, limit: number, share?: Share): Promise<Admission>;
};

/** Any 60 seconds: the window of the API's published limit. */
export const RATE_WINDOW_MS = 60_000;

export function admitted(facts: { limit: number; remaining: number; resetAtMs: number }): Admission {
  return {
    allowed: true,
    limit: facts.limit,
    remaining: facts.remaining,
    resetAt: toSeconds(facts.resetAtMs),
    retryAfterSeconds: 0,
  };
}

/** `retryAtMs` is when enough admissions have expired; later than `resetAtMs` only after the limit was lowered. */
export function refused(facts: {
  limit: number;
  nowMs: number;
  resetAtMs: number;
  retryAtMs: number;
}): Admission {
  return {
    allowed: false,
    limit: facts.limit,
    remaining: 0,
    resetAt: toSeconds(facts.resetAtMs),
    retryAfterSeconds: Math.max(1, toSeconds(facts.retryAtMs - facts.nowMs)),
  };
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
