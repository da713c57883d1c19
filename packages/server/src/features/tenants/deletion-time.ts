const DAY_MS = 86_400_000;
/** Deletions begin with an hourly run, and take a while: the last row is gone before the days have passed. */
const LEAD_MS = 2 * 3_600_000;

/** Returns when a deletion begins that must be complete within a number of days. 0 days: now. */
export function deletionTimeMs(nowMs: number, withinDays: number): number {
  return Math.max(nowMs, nowMs + withinDays * DAY_MS - LEAD_MS);
}
