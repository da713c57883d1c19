import type { QuietHours, Severity } from '@tps/contract';
import { SEVERITIES, WEEKDAYS } from '@tps/contract/vocabulary';

type Weekday = (typeof WEEKDAYS)[number];

/** Stored as JSON. */
export interface QuietHoursRecord {
  readonly timeZone: string;
  /** Days on which they begin. */
  readonly days: readonly Weekday[];
  /** Minutes after midnight, local time. */
  readonly from: number;
  readonly until: number;
  /** Notices of this severity or a higher one are not delayed. Null: all are. */
  readonly breakThrough: Severity | null;
}

const MINUTE_MS = 60_000;
const DAY_MIN = 1440;
/** The clocks of a zone are never changed by more. */
const MAX_SHIFT_MIN = 180;

export function toQuietHoursRecord(quiet: QuietHours | null): QuietHoursRecord | null {
  if (quiet === null) return null;
  const { time_zone: timeZone, days, break_through: breakThrough = 'critical' } = quiet;
  return { timeZone, days, from: toMinutes(quiet.from), until: toMinutes(quiet.until), breakThrough };
}

export function toQuietHours(quiet: QuietHoursRecord | null): QuietHours | null {
  if (quiet === null) return null;
  const { timeZone, days, from, until, breakThrough } = quiet;
  return {
    time_zone: timeZone,
    days: [...days],
    from: toTimeOfDay(from),
    until: toTimeOfDay(until),
    break_through: breakThrough,
  };
}

/** Whether this machine knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether quiet hours do not delay a notice of this severity. */
export function breaksThrough({ breakThrough }: QuietHoursRecord, severity: Severity): boolean {
  return breakThrough !== null && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(breakThrough);
}

/**
 * Returns when the quiet hours end that hold at a time; undefined outside of them. Quiet hours that follow each other
 * without a gap are one.
 */
export function findQuietEnd(quiet: QuietHoursRecord, nowMs: number): number | undefined {
  const local = createLocalTime(quiet.timeZone);
  if (!isQuiet(quiet, local(nowMs))) return undefined;
  let endMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  // At most one end per day of a week; quiet hours without any gap end after a week, and begin again.
  for (let day = 0; day <= WEEKDAYS.length && isQuiet(quiet, local(endMs)); day += 1) {
    const beginMs = endMs;
    endMs += (minutesUntil(local(endMs).minutes, quiet.until) || DAY_MIN) * MINUTE_MS;
    // Where the clock was put forward on the way, this is too late. The end may be a time that the clock has left out.
    const overshoot = minutesUntil(quiet.until, local(endMs).minutes);
    if (overshoot > MAX_SHIFT_MIN) continue;
    const earliestMs = Math.max(beginMs + MINUTE_MS, endMs - overshoot * MINUTE_MS);
    for (let atMs = earliestMs; atMs < endMs; atMs += MINUTE_MS) {
      if (!isQuiet(quiet, local(atMs))) endMs = atMs;
    }
  }
  return endMs;
}

interface LocalTime {
  /** Since midnight. */
  readonly minutes: number;
  /** Index in `WEEKDAYS`. */
  readonly day: number;
}

function isQuiet({ days, from, until }: QuietHoursRecord, { minutes, day }: LocalTime): boolean {
  const beginsOn = (index: number) => days.some((name) => WEEKDAYS.indexOf(name) === index);
  if (from < until) return beginsOn(day) && minutes >= from && minutes < until;
  const before = (day + WEEKDAYS.length - 1) % WEEKDAYS.length;
  return (beginsOn(day) && minutes >= from) || (beginsOn(before) && minutes < until);
}

/** Minutes from one time of day to the next occurrence of another, less than a day. */
function minutesUntil(from: number, to: number): number {
  return (to - from + DAY_MIN) % DAY_MIN;
}

function createLocalTime(timeZone: string): (atMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const weekday = (parts.get('weekday') ?? '').toLowerCase();
    return {
      minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
      day: (WEEKDAYS as readonly string[]).indexOf(weekday),
    };
  };
}

function toMinutes(timeOfDay: string): number {
  const [hours = '', minutes = ''] = timeOfDay.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function toTimeOfDay(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
