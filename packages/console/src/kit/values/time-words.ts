const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns date and time in the reader's zone and language. */
export function toDateTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

/** Returns the time in UTC: `2026-03-02 09:15:04 UTC`. */
export function toUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns how long ago a time was, or how far ahead it is: `now`, `3 min ago`, `in 2 h`, `5 d ago`; after a week the date. */
export function toRelative(iso: string, nowMs: number): string {
  const distanceMs = nowMs - new Date(iso).getTime();
  const amount = toDuration(Math.abs(distanceMs));
  if (Math.abs(distanceMs) >= 7 * DAY_MS) return DATE.format(new Date(iso));
  if (amount === undefined) return 'now';
  return distanceMs > 0 ? `${amount} ago` : `in ${amount}`;
}

/** Returns the largest unit of a duration: `3 min`, `2 h`, `5 d`; undefined below half a minute. */
export function toDuration(ms: number): string | undefined {
  if (ms < MINUTE_MS / 2) return undefined;
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  if (ms < DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} d`;
}
