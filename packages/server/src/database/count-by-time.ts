import type { CountInterval, Counts } from '@tps/contract';
import { MAX_BUCKETS, MAX_COUNTED } from '@tps/contract/vocabulary';
import { type Expression, sql } from 'kysely';
import type { TimeRange } from '../platform/list-filters.ts';
import { toTimestamp } from '../platform/time.ts';
import { allOf, type Condition } from './conditions.ts';
import type { ReadQueries } from './database.ts';
import { type FilteredRows, keySpans, matchingWithin } from './key-spans.ts';

/** Rows to count. */
interface CountedRows extends FilteredRows {
  /** The time of a row; it ascends with the key. */
  readonly time: Expression<number>;
}

interface CountOptions {
  /** What the filter selects. Open ends are those of the rows. */
  readonly range: TimeRange;
  /** Undefined: by the length of the range. */
  readonly interval: CountInterval | undefined;
}

const INTERVAL_MS: Readonly<Record<CountInterval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
const INTERVALS: readonly CountInterval[] = ['minute', 'hour', 'day'];
/** The longest range that is shown by the minute, and by the hour, unless the client chooses. */
const MAX_MINUTES_MS = 3 * 3_600_000;
const MAX_HOURS_MS = 7 * 86_400_000;

/** Counts rows by time, the newest first, until all or the maximum are examined. */
export async function countByTime(
  queries: ReadQueries,
  rows: CountedRows,
  { range, interval: wanted }: CountOptions,
): Promise<Counts> {
  const interval = toInterval(wanted, await lengthOf(queries, rows, range));
  const counts = new Map<number, number>();
  let examined = 0;
  let isComplete = false;
  for await (const span of keySpans(queries, rows)) {
    await countSpan(queries, { rows, range: span.conditions, lengthMs: INTERVAL_MS[interval] }, counts);
    isComplete = span.end === undefined;
    examined += span.size;
    if (examined >= MAX_COUNTED) break;
  }
  const buckets = [...counts].sort(([a], [b]) => a - b).slice(-MAX_BUCKETS);
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    complete: isComplete,
    interval,
    buckets: buckets.map(([startMs, count]) => ({ start: toTimestamp(startMs), count })),
  };
}

async function countSpan(
  queries: ReadQueries,
  { rows, range, lengthMs }: { rows: CountedRows; range: readonly Condition[]; lengthMs: number },
  counts: Map<number, number>,
): Promise<void> {
  const { time } = rows;
  const query = sql<{ start: number; count: number }>`
    select ${time} - ${time} % ${sql.lit(lengthMs)} as start, count(*) as count
    from ${rows.from} where ${matchingWithin(rows, range)} group by 1`;
  const { rows: found } = await query.execute(queries.db as never);
  for (const { start, count } of found) counts.set(start, (counts.get(start) ?? 0) + Number(count));
}

async function lengthOf(
  queries: ReadQueries,
  rows: CountedRows,
  { sinceMs, untilMs }: TimeRange,
): Promise<number> {
  const first = sinceMs ?? (await endOf(queries, rows, 'asc'));
  const last = untilMs ?? (await endOf(queries, rows, 'desc'));
  return first === undefined || last === undefined ? 0 : Math.max(last - first, 0);
}

async function endOf(
  queries: ReadQueries,
  rows: CountedRows,
  order: 'asc' | 'desc',
): Promise<number | undefined> {
  const query = sql<{ time: number }>`
    select ${rows.time} as time from ${rows.from} where ${allOf(rows.scope)}
    order by ${sql.join(rows.key.map((part) => sql`${part} ${sql.raw(order)}`))} limit 1`;
  const { rows: found } = await query.execute(queries.db as never);
  return found[0]?.time;
}

function toInterval(wanted: CountInterval | undefined, lengthMs: number): CountInterval {
  const shortest =
    wanted ?? (lengthMs <= MAX_MINUTES_MS ? 'minute' : lengthMs <= MAX_HOURS_MS ? 'hour' : 'day');
  const possible = INTERVALS.slice(INTERVALS.indexOf(shortest));
  // The first and the last bucket can be cut by the range.
  return possible.find((interval) => lengthMs / INTERVAL_MS[interval] < MAX_BUCKETS - 1) ?? 'day';
}
