export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the start of the hour of a time. */
export function hourOf(atMs: number): number {
  return atMs - (atMs % HOUR_MS);
}

/** Returns the start of the UTC day of a time. */
export function dayOf(atMs: number): number {
  return atMs - (atMs % DAY_MS);
}
