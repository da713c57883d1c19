import { PollingLoop } from '../../platform/concurrency/polling-loop.ts';
import { SERVICE } from '../audit/index.ts';
import type { Feature, SharedParts } from '../feature.ts';
import { type MaintenanceTask, registerMaintenanceMetrics } from './maintenance-metrics.ts';
import { purge } from './purge.ts';
import { runMaintenance } from './run-maintenance.ts';

const MINUTE_MS = 60_000;
/** Between two purges of expired data. The first comes soon after the start. */
const PURGE_EVERY_MS = 3_600_000;

interface Round {
  readonly task: MaintenanceTask;
  readonly everyMs: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** What is logged for each failure. */
  readonly failed: string;
}

/**
 * Runs the chores of the features once a minute and, separately, purges expired data every hour. A failed task does not
 * stop the others: it is logged, and the next round repeats it.
 */
export function maintenanceFeature(shared: SharedParts, features: readonly Feature[]): Feature {
  const { database, clock, logger, metrics, config } = shared;
  const { retention } = config;
  const count = registerMaintenanceMetrics(metrics, { database, clock, retention });
  const loopOf = ({ task, everyMs, work, failed }: Round) =>
    new PollingLoop({
      firstAfterMs: MINUTE_MS,
      backOffMs: everyMs,
      round: async (signal) => {
        try {
          await work(signal);
          count(task, 'succeeded');
        } catch (error) {
          // What `stop` interrupts has not failed.
          if (!signal.aborted) throw error;
        }
        return everyMs;
      },
      onFailure: (error) => {
        count(task, 'failed');
        const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
        for (const err of errors) logger.warn({ err }, failed);
      },
    });
  return {
    loops: [
      loopOf({
        task: 'upkeep',
        everyMs: MINUTE_MS,
        work: (signal) => runMaintenance({ database, clock, features, signal }),
        failed: 'maintenance task failed',
      }),
      // Separate from the chores: it may take long, and they must not wait for it.
      loopOf({
        task: 'purge',
        everyMs: PURGE_EVERY_MS,
        async work(signal) {
          const parts = { database, clock, config: retention, actor: SERVICE, dryRun: false };
          const { deleted, results } = await purge({ ...parts, signal });
          const removed = results.filter(({ rows }) => Object.keys(rows).length > 0);
          if (deleted.length + removed.length > 0) logger.info({ deleted, removed }, 'expired data purged');
        },
        failed: 'purge of expired data failed',
      }),
    ],
  };
}
