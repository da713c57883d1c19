/** The time of day. Injected wherever time decides something, so that a test can hold it still. */
export type Clock = {
  /** Milliseconds since the epoch. May step backwards: the host's clock is corrected now and then. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };
