export { parseTimestamp } from '@tps/contract/vocabulary';

/** Formats milliseconds since the epoch as RFC 3339 UTC with milliseconds and `Z`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Like `toTimestamp`, for something that may not have happened. */
export function toOptionalTimestamp(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
