const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The ranges that the reader can choose, by their name in the address. */
export const RANGES = {
  '24h': { label: '24 h', words: 'the last 24 hours', spanMs: 23 * HOUR_MS, interval: 'hour' },
  '7d': { label: '7 d', words: 'the last 7 days', spanMs: 7 * DAY_MS, interval: 'hour' },
  '30d': { label: '30 d', words: 'the last 30 days', spanMs: 29 * DAY_MS, interval: 'day' },
  '1y': { label: '1 y', words: 'the last year', spanMs: 364 * DAY_MS, interval: 'day' },
} as const;

export type OverviewRange = keyof typeof RANGES;

export const RANGE_NAMES = Object.keys(RANGES) as OverviewRange[];

/** Returns the range of an address. Default: a week. */
export function toRange(name: string | undefined): OverviewRange {
  return RANGE_NAMES.find((range) => range === name) ?? '7d';
}
