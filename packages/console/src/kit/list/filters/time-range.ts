import { toDateTime } from '../../values/time-words.ts';

/** Returns a range in the reader's zone: `since 2 Mar, 09:00`, `2 Mar, 09:00 – 10:00`. */
export function toTimeWords(since: string | undefined, until: string | undefined): string {
  if (since !== undefined && until !== undefined) return `${toText(since)} – ${toText(until)}`;
  if (since !== undefined) return `since ${toText(since)}`;
  return until === undefined ? 'any time' : `before ${toText(until)}`;
}

function toText(time: string): string {
  return Number.isNaN(Date.parse(time)) ? time : toDateTime(time);
}
