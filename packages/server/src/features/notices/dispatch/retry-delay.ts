const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Pauses after each failed attempt: after four hours, a notice is no longer useful. */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  60 * MINUTE_MS,
  120 * MINUTE_MS,
] as const;

/** The longest pause that a receiver can ask for. */
export const MAX_RETRY_AFTER_MS = 120 * MINUTE_MS;

/** Returns the pause before the next attempt, at least as long as the receiver asks for; undefined if there is none. */
export function retryDelayMs(attempts: number, retryAfterMs = 0): number | undefined {
  const usual = DELAYS_MS[attempts - 1];
  return usual === undefined ? undefined : Math.max(usual, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
