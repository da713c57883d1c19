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
import { type SumSeries, valuesOf } from './sum-series.ts';

const NO_SUMS: SumSeries = new Map();

/** What a response contains. */
export interface StatisticsSelection {
  readonly measures: readonly StatisticsMeasure[];
  readonly breakdowns: readonly StatisticsBreakdown[];
}

export function toStatistics(
  tenantId: string,
  parts: {
    buckets: StatisticsBuckets;
    selection: StatisticsSelection;
    sums: ReadonlyMap<StatisticsTable, SumSeries>;
  },
): Statistics {
  const { buckets, selection, sums } = parts;
  const starts = Array.from(
    { length: buckets.count },
    (_, index) => buckets.sinceMs + index * buckets.bucketMs,
  );
  const seriesOf = (
    named: Pick<StatisticsSeries, 'measure' | 'breakdown' | 'key'>,
    { table }: MeasureSource,
    columns: readonly string[],
  ): StatisticsSeries => {
    const values = valuesOf(sums.get(table) ?? NO_SUMS, columns);
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
  const incidents = sums.get('incident_statistics');
  return {
    tenant_id: tenantId,
    since: toTimestamp(buckets.sinceMs),
    until: toTimestamp(buckets.untilMs),
    interval: buckets.interval,
    starts: starts.map(toTimestamp),
    series,
    time_to_acknowledge: incidents ? toDurations(incidents, 'acknowledged_in', 'acknowledge_ms') : null,
    time_to_resolve: incidents ? toDurations(incidents, 'resolved_in', 'resolve_ms') : null,
  };
}

function toDurations(
  incidents: SumSeries,
  prefix: 'acknowledged_in' | 'resolved_in',
  sumColumn: 'acknowledge_ms' | 'resolve_ms',
): StatisticsDurations {
  const totalOf = (column: string) => sum(valuesOf(incidents, [column]));
  const counts = DURATION_CLASSES.map((name) => totalOf(`${prefix}_${name}`));
  const count = sum(counts);
  const totalMs = totalOf(sumColumn);
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
