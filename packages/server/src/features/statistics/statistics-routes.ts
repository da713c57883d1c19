import { getStatistics, type StatisticsBreakdown, type StatisticsMeasure } from '@tps/contract';
import { STATISTICS_BREAKDOWNS, STATISTICS_MEASURES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { sourceOf, sumsToRead } from './measures.ts';
import { STATISTICS_TABLES, type StatisticsTable } from './statistics-columns.ts';
import { type StatisticsBuckets, toBuckets } from './statistics-range.ts';
import * as statisticsStore from './statistics-store.ts';
import { type SumSeries, toSumSeries } from './sum-series.ts';
import { type StatisticsSelection, toStatistics } from './to-statistics.ts';

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
): Promise<Map<StatisticsTable, SumSeries>> {
  const wanted = selection.measures.map((measure) => ({
    source: sourceOf(measure, buckets.interval),
    breakdowns: selection.breakdowns,
  }));
  const byTable = new Map<StatisticsTable, SumSeries>();
  for (const table of STATISTICS_TABLES) {
    const sums = sumsToRead(table, wanted);
    if (sums.length === 0) continue;
    const found = await statisticsStore.listSums(queries, table, { tenantId, sums, ...buckets });
    byTable.set(table, toSumSeries(found, { sums, buckets }));
  }
  return byTable;
}
