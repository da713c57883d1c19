/** The time of day, injected wherever time matters. */
export type Clock = {
  /** Milliseconds since the epoch. May step backwards when the host's clock is corrected. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };
