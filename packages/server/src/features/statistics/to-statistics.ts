import type {
  Statistics,
  StatisticsBreakdown,
  StatisticsDurations,
  StatisticsMeasure,
  StatisticsSeries,
} from '@tps/contract';
import { toTimestamp } from '../../platform/time.ts';
import { DURATION_CLASSES, quantileSeconds, upToSeconds } from './duration-class.ts';
import { type MeasureSource, sourceOf } from './measures.ts';
import type { StatisticsTable } from './statistics-columns.ts';
import type { StatisticsBuckets } from './statistics-range.ts';

/** The sums of columns by the start of their bucket, for each table that was read. */
export type SumsByTable = ReadonlyMap<StatisticsTable, ReadonlyMap<number, Readonly<Record<string, number>>>>;

/** What a response contains. */
export interface StatisticsSelection {
  readonly measures: readonly StatisticsMeasure[];
  readonly breakdowns: readonly StatisticsBreakdown[];
}

export function toStatistics(
  tenantId: string,
  parts: { buckets: StatisticsBuckets; selection: StatisticsSelection; sums: SumsByTable },
): Statistics {
  const { buckets, selection, sums } = parts;
  const starts = Array.from(
    { length: buckets.count },
    (_, index) => buckets.sinceMs + index * buckets.bucketMs,
  );
  const valuesOf = (table: StatisticsTable, columns: readonly string[]) =>
    starts.map((startMs) => sumOf(sums.get(table)?.get(startMs), columns));
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
  const ofIncidents = sums.get('incident_statistics');
  const incidentSums = ofIncidents && [...ofIncidents.values()];
  return {
    tenant_id: tenantId,
    since: toTimestamp(buckets.sinceMs),
    until: toTimestamp(buckets.untilMs),
    interval: buckets.interval,
    starts: starts.map(toTimestamp),
    series,
    time_to_acknowledge: incidentSums ? toDurations(incidentSums, 'acknowledged_in', 'acknowledge_ms') : null,
    time_to_resolve: incidentSums ? toDurations(incidentSums, 'resolved_in', 'resolve_ms') : null,
  };
}

function toDurations(
  rows: readonly Readonly<Record<string, number>>[],
  prefix: 'acknowledged_in' | 'resolved_in',
  sumColumn: 'acknowledge_ms' | 'resolve_ms',
): StatisticsDurations {
  const counts = DURATION_CLASSES.map((name) => sum(rows.map((row) => row[`${prefix}_${name}`] ?? 0)));
  const count = sum(counts);
  const totalMs = sum(rows.map((row) => row[sumColumn] ?? 0));
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

function sumOf(row: Readonly<Record<string, number>> | undefined, columns: readonly string[]): number {
  return row === undefined ? 0 : sum(columns.map((column) => row[column] ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
