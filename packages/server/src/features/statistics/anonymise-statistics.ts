import { STATISTICS_RETENTION_MONTHS } from '@tps/contract/vocabulary';
import type { Database } from '../../database/index.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as serviceStatisticsStore from './service-statistics-store.ts';
import { STATISTICS_TABLES } from './statistics-columns.ts';
import { dayOf } from './statistics-hour.ts';
import * as statisticsStore from './statistics-store.ts';

/** Returns the start of the day 24 months ago. Statistics of days before it are anonymised. */
export function statisticsCutoff(nowMs: number): number {
  const cutoff = new Date(nowMs);
  cutoff.setUTCMonth(cutoff.getUTCMonth() - STATISTICS_RETENTION_MONTHS);
  return dayOf(cutoff.getTime());
}

/**
 * Moves a tenant's statistics that are older than 24 months into the counts of the whole service, which name no tenant and
 * have one row per day. Each transaction moves some rows, so it can end at any time.
 */
export async function anonymiseStatistics(
  database: Database,
  tenantId: TenantId,
  { nowMs, signal }: { nowMs: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const untilMs = statisticsCutoff(nowMs);
  for (const table of STATISTICS_TABLES) {
    for (;;) {
      const startMs = await statisticsStore.findFirstHour(database.read, table, tenantId);
      if (startMs === undefined || startMs >= untilMs) break;
      signal?.throwIfAborted();
      await runThenPause(
        () =>
          database.transaction(async (tx) => {
            const removed = await statisticsStore.removeBefore(tx, table, { tenantId, startMs, untilMs });
            await serviceStatisticsStore.add(tx, table, removed);
          }),
        signal,
      );
    }
  }
}
