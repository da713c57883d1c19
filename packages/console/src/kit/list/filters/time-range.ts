import type { Choice, FilterDefinition, ListQuery } from '../list-definition.ts';

/** A beginning that moves with the clock: `-24h`. The API gets the time that it stands for. */
const RELATIVE = /^-(?<amount>\d{1,4})(?<unit>[mhd])$/;

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_WORDS = { m: 'min', h: 'h', d: 'days' } as const;

export const TIME_PRESETS: readonly Choice[] = [
  { value: '-15m', label: 'Last 15 min' },
  { value: '-1h', label: 'Last hour' },
  { value: '-24h', label: 'Last 24 h' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
];

const SHORT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Returns a range in the reader's zone: `Last 24 h`, `2 Mar, 09:00 – 2 Mar, 10:00`. */
export function toTimeWords(since: string | undefined, until: string | undefined): string {
  if (since !== undefined && until !== undefined) return `${toText(since)} – ${toText(until)}`;
  if (since !== undefined) return RELATIVE.test(since) ? toText(since) : `since ${toText(since)}`;
  return until === undefined ? 'any time' : `before ${toText(until)}`;
}

function toText(time: string): string {
  const preset = TIME_PRESETS.find(({ value }) => value === time);
  if (preset) return preset.label;
  const { amount, unit } = RELATIVE.exec(time)?.groups ?? {};
  if (amount !== undefined) return `Last ${amount} ${UNIT_WORDS[unit as keyof typeof UNIT_WORDS]}`;
  return Number.isNaN(Date.parse(time)) ? time : SHORT.format(new Date(time));
}

/** Returns a query with times instead of what moves with the clock. */
export function withTimes(
  definitions: readonly FilterDefinition[],
  query: ListQuery,
  nowMs: number,
): ListQuery {
  const result: Record<string, string> = { ...query };
  for (const filter of definitions) {
    if (filter.kind !== 'time-range') continue;
    for (const name of [filter.name, filter.until ?? 'until']) {
      const time = toTime(query[name], nowMs);
      if (time !== undefined) result[name] = time;
    }
  }
  return result;
}

/** Returns the time that a text stands for; undefined for a text that already is one. */
function toTime(text: string | undefined, nowMs: number): string | undefined {
  const { amount, unit } = RELATIVE.exec(text ?? '')?.groups ?? {};
  if (amount === undefined) return undefined;
  return new Date(nowMs - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString();
}

/** Returns a time as the value of `<input type="datetime-local">`, in the reader's zone. */
export function toLocalInput(time: string | undefined): string {
  if (time === undefined || Number.isNaN(Date.parse(time))) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * UNIT_MS.m).toISOString().slice(0, 16);
}

/** Returns the time of the value of `<input type="datetime-local">`; undefined when it is empty. */
export function fromLocalInput(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}
