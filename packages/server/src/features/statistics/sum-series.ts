import type { StatisticsBuckets } from './statistics-range.ts';
import type { StatisticsBucket } from './statistics-store.ts';

/** Sums of columns of a table: one value for each bucket, 0 where nothing was counted. */
export type SumSeries = ReadonlyMap<string, number[]>;

/** Names the sum of columns. */
function sumName(columns: readonly string[]): string {
  return columns.join(' + ');
}

/** Arranges what was read of a table. `sums` has the columns of each sum, in the order in which they were read. */
export function toSumSeries(
  found: readonly StatisticsBucket[],
  { sums, buckets }: { sums: readonly (readonly string[])[]; buckets: StatisticsBuckets },
): SumSeries {
  const { sinceMs, bucketMs, count } = buckets;
  return new Map(
    sums.map((columns, position) => {
      const values = new Array<number>(count).fill(0);
      for (const bucket of found) values[(bucket.startMs - sinceMs) / bucketMs] = bucket.sums[position] ?? 0;
      return [sumName(columns), values];
    }),
  );
}

/** Returns the sum of columns in each bucket. It was read as such, or its columns were read one by one. */
export function valuesOf(series: SumSeries, columns: readonly string[]): number[] {
  const read = series.get(sumName(columns));
  if (read) return read;
  const [first = [], ...others] = columns.map((column) => series.get(column) ?? []);
  return first.map((value, index) => others.reduce((sum, values) => sum + (values[index] ?? 0), value));
}
