const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;
const LEAP_SECOND = /(?<=:\d\d):60/;

/**
 * Parses a time of a list or bundle into milliseconds since the epoch: RFC 3339, or a day or time without an offset, which is
 * of UTC. Returns undefined for anything else, also for a day that does not exist. A leap second is read as the second after it.
 */
export function parseTime(value: unknown): number | undefined {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  if (match === null) return undefined;
  const [text, day = '', zone] = match;
  // `Date.parse` turns 30 February into a day in March.
  const dayMs = Date.parse(day);
  if (Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(day)) return undefined;
  if (text === day) return dayMs;
  const isLeap = LEAP_SECOND.test(text);
  const counted = text.replace(LEAP_SECOND, ':59').replace(' ', 'T');
  const timeMs = Date.parse(`${counted}${zone === undefined ? 'Z' : ''}`.toUpperCase());
  return Number.isNaN(timeMs) ? undefined : timeMs + (isLeap ? 1000 : 0);
}
