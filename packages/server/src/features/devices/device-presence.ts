const MINUTE_MS = 60_000;

/** An active device is online if it was seen within this time, then stale until the next bound, then offline. */
export const ONLINE_MS = 15 * MINUTE_MS;
export const STALE_MS = 24 * 60 * MINUTE_MS;

export type Presence = 'online' | 'stale' | 'offline';

/** @param lastSeenMs null if the device has sent nothing yet */
export function presenceOf(lastSeenMs: number | null, nowMs: number): Presence {
  if (lastSeenMs === null || lastSeenMs <= nowMs - STALE_MS) return 'offline';
  return lastSeenMs > nowMs - ONLINE_MS ? 'online' : 'stale';
}
