import type {
  Statistics,
  StatisticsBreakdown,
  StatisticsDurations,
  StatisticsMeasure,
  StatisticsSeries,
} from '@tps/contract';
import { toTimestamp } from '../../platform/time.ts';
import { DURATION_CLASSES, quantileSeconds, upToSeconds } from './duration-class.ts';
import { type MeasureSource, sourceOf, sumName } from './measures.ts';
import type { StatisticsTable } from './statistics-columns.ts';
import type { StatisticsBuckets } from './statistics-range.ts';

type Sums = Readonly<Record<string, number>>;

/** What was read. Sums are named by their columns. */
export interface ReadSums {
  /** By the start of their bucket, for each table. */
  readonly byBucket: ReadonlyMap<StatisticsTable, ReadonlyMap<number, Sums>>;
  /** How long incidents took in the whole range; undefined if no measure of incidents was read. */
  readonly durations: Sums | undefined;
}

/** What a response contains. */
export interface StatisticsSelection {
  readonly measures: readonly StatisticsMeasure[];
  readonly breakdowns: readonly StatisticsBreakdown[];
}

export function toStatistics(
  tenantId: string,
  parts: { buckets: StatisticsBuckets; selection: StatisticsSelection; sums: ReadSums },
): Statistics {
  const { buckets, selection, sums } = parts;
  const starts = Array.from(
    { length: buckets.count },
    (_, index) => buckets.sinceMs + index * buckets.bucketMs,
  );
  const valuesOf = (table: StatisticsTable, columns: readonly string[]) =>
    starts.map((startMs) => sums.byBucket.get(table)?.get(startMs)?.[sumName(columns)] ?? 0);
  const seriesOf = (
    named: Pick<StatisticsSeries, 'measure' | 'breakdown' | 'key'>,
    { table }: MeasureSource,
    columns: readonly string[],
  ): StatisticsSeries => {
    const values = valuesOf(table, columns);
    return { ...named, total: named.measure === 'devices' ? null : sum(values), values };
  };
  const series = selection.measures.flatMap((measure) => {
    const source = sourceOf(measure, buckets.interval);
    const parted = selection.breakdowns.flatMap((breakdown) =>
      Object.entries(source.breakdowns[breakdown] ?? {}).map(([key, column]) =>
        seriesOf({ measure, breakdown, key }, source, [column]),
      ),
    );
    return [seriesOf({ measure, breakdown: null, key: null }, source, source.total), ...parted];
  });
  const { durations } = sums;
  return {
    tenant_id: tenantId,
    since: toTimestamp(buckets.sinceMs),
    until: toTimestamp(buckets.untilMs),
    interval: buckets.interval,
    starts: starts.map(toTimestamp),
    series,
    time_to_acknowledge: durations ? toDurations(durations, 'acknowledged_in', 'acknowledge_ms') : null,
    time_to_resolve: durations ? toDurations(durations, 'resolved_in', 'resolve_ms') : null,
  };
}

function toDurations(
  sums: Sums,
  prefix: 'acknowledged_in' | 'resolved_in',
  sumColumn: 'acknowledge_ms' | 'resolve_ms',
): StatisticsDurations {
  const counts = DURATION_CLASSES.map((name) => sums[`${prefix}_${name}`] ?? 0);
  const count = sum(counts);
  const totalMs = sums[sumColumn] ?? 0;
  return {
    count,
    mean_s: count === 0 ? null : Math.round(totalMs / count / 1000),
    p50_s: quantileSeconds(counts, 0.5),
    p90_s: quantileSeconds(counts, 0.9),
    classes: DURATION_CLASSES.map((name, index) => ({
      up_to_s: upToSeconds(name),
      count: counts[index] ?? 0,
    })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
