import type { CountInterval, ListCounts } from '../list-definition.ts';

/** A bar of the strip: how many items are between two times. */
export interface Bar {
  readonly startMs: number;
  readonly endMs: number;
  readonly count: number;
}

const INTERVAL_MS: Readonly<Record<CountInterval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** More bars than this cannot be told apart. */
const MAX_BARS = 120;

interface Range {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly nowMs: number;
}

/** Returns bars for the whole range, also where there is nothing. Without a range, from the first bucket until now. */
export function toBars(
  { buckets, interval }: Pick<ListCounts, 'buckets' | 'interval'>,
  range: Range,
): readonly Bar[] {
  const unitMs = INTERVAL_MS[interval];
  const firstMs = timeOf(range.since) ?? timeOf(buckets[0]?.start);
  const lastMs = timeOf(range.until) ?? range.nowMs;
  if (firstMs === undefined || lastMs <= firstMs) return [];
  const startMs = Math.floor(firstMs / unitMs) * unitMs;
  const units = Math.ceil((lastMs - startMs) / unitMs);
  const stepMs = Math.max(1, Math.ceil(units / MAX_BARS)) * unitMs;
  const counts = new Map<number, number>();
  for (const { start, count } of buckets) {
    const index = Math.floor((Date.parse(start) - startMs) / stepMs);
    counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return Array.from({ length: Math.ceil((lastMs - startMs) / stepMs) }, (_, index) => ({
    startMs: startMs + index * stepMs,
    endMs: startMs + (index + 1) * stepMs,
    count: counts.get(index) ?? 0,
  }));
}

/** A choice of bars, from one to another in either direction. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** Returns the range that a brush covers. */
export function rangeOfBrush(
  bars: readonly Bar[],
  { from, to }: Brush,
): { since: string; until: string } | undefined {
  const first = bars[Math.min(from, to)];
  const last = bars[Math.max(from, to)];
  if (!first || !last) return undefined;
  return { since: new Date(first.startMs).toISOString(), until: new Date(last.endMs).toISOString() };
}

function timeOf(time: string | undefined): number | undefined {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
