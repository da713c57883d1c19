/** The time of day, injected wherever time matters. */
export type Clock = {
  /** Milliseconds since the epoch. May step backwards when the host's clock is corrected. */
  now(): number;
};

/**
 * Clocks of nodes differ by less. What ends authority also ends what has expired no longer ago than this: a node whose clock is
 * behind may still accept it.
 */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000;

export const systemClock: Clock = { now: () => Date.now() };
