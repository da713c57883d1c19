const RFC_3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Where the seconds stand in the text. */
const SECONDS_AT = 17;

const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an RFC 3339 time with any offset into milliseconds since the epoch. Returns undefined for anything else. Milliseconds
 * since the epoch do not count leap seconds: one is read as the second after it.
 */
export function parseTimestamp(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const isLeap = text.startsWith('60', SECONDS_AT);
  const counted = isLeap ? `${text.slice(0, SECONDS_AT)}59${text.slice(SECONDS_AT + 2)}` : text;
  const ms = Date.parse(counted.toUpperCase()) + (isLeap ? 1000 : 0);
  // `Date.parse` turns 30 February into a day in March: accept only days that exist.
  if (Number.isNaN(ms) || !dayExists(text) || !isWritable(ms)) return undefined;
  return isLeap && !endsMonth(ms) ? undefined : ms;
}

/** A leap second is the last one of a month in UTC. */
function endsMonth(ms: number): boolean {
  return new Date(ms).toISOString().slice(8).startsWith('01T00:00:00');
}

/** An offset can move a time outside the years 0000 to 9999, the range that RFC 3339 can express in UTC. */
function isWritable(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

function dayExists(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return (
    day <= 28 || day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  );
}
