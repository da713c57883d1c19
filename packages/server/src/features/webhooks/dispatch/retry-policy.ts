import { DELIVERY_ATTEMPTS } from '@tps/contract/vocabulary';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';

/** The next step after an attempt. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly error: string; readonly delayMs: number }
  /**
   * `isGone`: the receiver wants no more deliveries at all. `isTransient`: it did not respond, or with 429 or 5xx, so
   * the same delivery may succeed later.
   */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly isGone: boolean;
      readonly isTransient: boolean;
    };

/** Waits after the first and the second failed attempt. */
const DELAYS_MS = [1_000, 2_000] as const;
/** Random extra, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** A receiver may ask for a longer pause, up to this; a longer request is ignored. */
const MAX_RETRY_AFTER_MS = 10_000;

/**
 * Decides the next step after an attempt. Only 429, 5xx, timeouts and broken connections are retried. A redirect is
 * not, because following it would mean calling an unchecked address.
 */
export function nextStep(
  outcome: PostOutcome,
  { attempts, isTest, nowMs, random }: { attempts: number; isTest: boolean; nowMs: number; random: number },
): NextStep {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) {
    return { kind: 'delivered' };
  }
  const error = describe(outcome);
  const isLast = isTest || attempts >= DELIVERY_ATTEMPTS;
  const canSucceedLater = isTransient(outcome);
  if (isLast || !canSucceedLater) {
    const isGone = outcome.kind === 'answered' && outcome.status === 410;
    return { kind: 'failed', error, isGone, isTransient: canSucceedLater };
  }
  const usual = (DELAYS_MS[attempts - 1] ?? DELAYS_MS[1]) * (1 + JITTER * random);
  const asked = outcome.kind === 'answered' ? toDelayMs(outcome.retryAfter, nowMs) : 0;
  return {
    kind: 'retry',
    error,
    delayMs: Math.ceil(asked <= MAX_RETRY_AFTER_MS ? Math.max(usual, asked) : usual),
  };
}

function isTransient(outcome: PostOutcome): boolean {
  if (outcome.kind === 'failed') return outcome.reason !== 'target';
  return outcome.status === 429 || outcome.status >= 500;
}

function describe(outcome: PostOutcome): string {
  if (outcome.kind === 'failed') return outcome.message;
  const { status } = outcome;
  return status >= 300 && status < 400
    ? `The receiver responded with ${status}; redirects are not followed`
    : `The receiver responded with ${status}`;
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. Anything else counts as no delay. */
function toDelayMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
