import { getStatistics, type StatisticsBreakdown, type StatisticsMeasure } from '@tps/contract';
import { STATISTICS_BREAKDOWNS, STATISTICS_MEASURES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { columnsToRead, sourceOf } from './measures.ts';
import { STATISTICS_COLUMNS, STATISTICS_TABLES, type StatisticsTable } from './statistics-columns.ts';
import { type StatisticsBuckets, toBuckets } from './statistics-range.ts';
import * as statisticsStore from './statistics-store.ts';
import { type StatisticsSelection, type SumsByTable, toStatistics } from './to-statistics.ts';

/** What the times to acknowledge and to resolve are computed from. */
const DURATION_COLUMNS = STATISTICS_COLUMNS.incident_statistics.filter((column) =>
  /^(?:acknowledged_in|resolved_in)_|_ms$/.test(column),
);

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
): Promise<SumsByTable> {
  const { sinceMs, untilMs, bucketMs, interval } = buckets;
  const wanted = selection.measures.map((measure) => ({
    source: sourceOf(measure, interval),
    breakdowns: selection.breakdowns,
  }));
  const sums = new Map<StatisticsTable, ReadonlyMap<number, Readonly<Record<string, number>>>>();
  for (const table of STATISTICS_TABLES) {
    const ofTable = new Set<string>(columnsToRead(table, wanted));
    if (table === 'incident_statistics' && ofTable.size > 0) {
      for (const column of DURATION_COLUMNS) ofTable.add(column);
    }
    const columns = STATISTICS_COLUMNS[table].filter((column) => ofTable.has(column));
    if (columns.length === 0) continue;
    const read = await statisticsStore.listSums(queries, table, {
      tenantId,
      columns,
      bucketMs,
      sinceMs,
      untilMs,
    });
    sums.set(table, new Map(read.map((bucket) => [bucket.startMs, bucket.sums])));
  }
  return sums;
}
