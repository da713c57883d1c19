/** The time of day. Injected wherever time matters, so that tests can control it. */
export type Clock = {
  /** Milliseconds since the epoch. May step backwards when the host's clock is corrected. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };
