import { getStatistics, type StatisticsBreakdown, type StatisticsMeasure } from '@tps/contract';
import { STATISTICS_BREAKDOWNS, STATISTICS_MEASURES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { sourceOf, sumName, sumsToRead } from './measures.ts';
import { STATISTICS_COLUMNS, STATISTICS_TABLES, type StatisticsTable } from './statistics-columns.ts';
import { type StatisticsBuckets, toBuckets } from './statistics-range.ts';
import * as statisticsStore from './statistics-store.ts';
import { type ReadSums, type StatisticsSelection, toStatistics } from './to-statistics.ts';

/** What the times to acknowledge and to resolve are computed from. */
const DURATION_SUMS = STATISTICS_COLUMNS.incident_statistics
  .filter((column) => /^(?:acknowledged_in|resolved_in)_|_ms$/.test(column))
  .map((column) => [column]);

export function statisticsRoutes({
  database,
  clock,
}: {
  database: { readonly read: ReadQueries };
  clock: Clock;
}): Route[] {
  return [
    route(getStatistics, async ({ tenantId, query }) => {
      const buckets = toBuckets(query, clock.now());
      const selection = {
        measures: chosen<StatisticsMeasure>(
          query.measures ?? STATISTICS_MEASURES.join(','),
          STATISTICS_MEASURES,
        ),
        breakdowns: chosen<StatisticsBreakdown>(query.breakdown, STATISTICS_BREAKDOWNS),
      };
      const sums = await readSums(database.read, tenantId, { buckets, selection });
      return { status: 200, body: toStatistics(tenantId, { buckets, selection, sums }) };
    }),
  ];
}

/** Returns the listed values in their usual order, each once. */
function chosen<Value extends string>(list: string | undefined, values: readonly Value[]): Value[] {
  const names = new Set(list?.split(','));
  return values.filter((value) => names.has(value));
}

/** Reads one table at a time: on SQLite there is one reader. */
async function readSums(
  queries: ReadQueries,
  tenantId: TenantId,
  { buckets, selection }: { buckets: StatisticsBuckets; selection: StatisticsSelection },
): Promise<ReadSums> {
  const { sinceMs, untilMs, bucketMs, interval } = buckets;
  const wanted = selection.measures.map((measure) => ({
    source: sourceOf(measure, interval),
    breakdowns: selection.breakdowns,
  }));
  const read = async (table: StatisticsTable, sums: readonly (readonly string[])[], eachMs: number) => {
    const query = { tenantId, sums, bucketMs: eachMs, sinceMs, untilMs };
    const found = await statisticsStore.listSums(queries, table, query);
    const names = sums.map(sumName);
    return new Map(
      found.map(({ startMs, sums: values }) => [
        startMs,
        Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0])),
      ]),
    );
  };
  const byBucket = new Map<StatisticsTable, Awaited<ReturnType<typeof read>>>();
  for (const table of STATISTICS_TABLES) {
    const sums = sumsToRead(table, wanted);
    if (sums.length > 0) byBucket.set(table, await read(table, sums, bucketMs));
  }
  if (!byBucket.has('incident_statistics')) return { byBucket, durations: undefined };
  const ofRange = await read('incident_statistics', DURATION_SUMS, untilMs - sinceMs);
  return { byBucket, durations: ofRange.get(sinceMs) ?? {} };
}
