import { DELIVERY_ATTEMPTS } from '@tps/contract/vocabulary';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import { parseRetryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { toTimestamp } from '../../../platform/time.ts';

/** The next step after an attempt. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly error: string; readonly delayMs: number }
  /**
   * `isGone`: the receiver wants no more deliveries at all. `isTransient`: it did not respond, or with 429 or 5xx, so
   * the same delivery may succeed later. `silentUntilMs`: it asked for no requests before this time.
   */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly isGone: boolean;
      readonly isTransient: boolean;
      readonly silentUntilMs?: number;
    };

/** Waits after the first and the second failed attempt. */
const DELAYS_MS = [1_000, 2_000] as const;
/** Random extra, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest pause between the attempts of a delivery that a receiver can ask for. A longer one ends the attempts. */
const MAX_RETRY_AFTER_MS = 10_000;
/** The longest pause that a receiver can ask for. A webhook without a success for five days is disabled. */
const MAX_SILENCE_MS = 24 * 3_600_000;

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
  const canSucceedLater = isTransient(outcome);
  const askedMs =
    canSucceedLater && outcome.kind === 'answered' ? parseRetryAfterMs(outcome.retryAfter, nowMs) : 0;
  const isLast = isTest || attempts >= DELIVERY_ATTEMPTS || askedMs > MAX_RETRY_AFTER_MS;
  if (isLast || !canSucceedLater) {
    const isGone = outcome.kind === 'answered' && outcome.status === 410;
    const silence = askedMs > 0 ? { silentUntilMs: nowMs + Math.min(askedMs, MAX_SILENCE_MS) } : {};
    return {
      kind: 'failed',
      error: withPause(error, silence),
      isGone,
      isTransient: canSucceedLater,
      ...silence,
    };
  }
  const usual = (DELAYS_MS[attempts - 1] ?? DELAYS_MS[1]) * (1 + JITTER * random);
  return { kind: 'retry', error, delayMs: Math.ceil(Math.max(usual, askedMs)) };
}

function withPause(error: string, { silentUntilMs }: { silentUntilMs?: number }): string {
  if (silentUntilMs === undefined) return error;
  return `${error} and asked for no requests before ${toTimestamp(silentUntilMs)}`;
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
