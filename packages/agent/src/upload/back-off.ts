const BASE_MS = 1000;
/** Longest wait between two attempts that the agent chooses by itself. */
const BACK_OFF_CAP_MS = 5 * 60_000;

/**
 * Says how long to wait after the n-th failure in a row, counted from 1: full jitter, evenly between 0 and
 * `min(cap, base · 2^(n-1))`, so that a fleet that lost its service at one moment comes back spread out. After a
 * `Retry-After` the jitter comes on top, at least as wide as that wait itself: everybody was told the same second.
 */
export function backOffMs(failures: number, retryAfterMs: number | undefined, random: () => number): number {
  const window = Math.min(BACK_OFF_CAP_MS, BASE_MS * 2 ** (failures - 1));
  if (retryAfterMs === undefined) return random() * window;
  return retryAfterMs + random() * Math.max(window, Math.min(retryAfterMs, BACK_OFF_CAP_MS));
}
