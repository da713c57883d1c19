import type { Database } from '../../database/index.ts';
import { SERVICE } from '../../features/audit/index.ts';
import { SilenceWatch } from '../../features/devices/index.ts';
import {
  type MaintenanceTask,
  purge,
  registerMaintenanceMetrics,
  runMaintenance,
} from '../../features/maintenance/index.ts';
import type { TokenAuthenticator } from '../../features/tokens/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { PollingLoop } from '../../platform/concurrency/polling-loop.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { ServiceLimiter } from './create-limiter.ts';

const MINUTE_MS = 60_000;
/** Between two purges of expired data. The first comes soon after the start. */
const PURGE_EVERY_MS = 3_600_000;

interface Round {
  readonly everyMs: number;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** What is logged for each failure. */
  readonly failed: string;
}

export interface Maintenance {
  /** Waits for the current rounds, writes what is pending, and ends. */
  stop(): Promise<void>;
}

/**
 * Runs the maintenance tasks once a minute and, separately, purges expired data every hour. A failed task does not
 * stop the others: it is logged, and the next round repeats it.
 */
export function startMaintenance(parts: {
  database: Database;
  authenticator: TokenAuthenticator;
  limiter: ServiceLimiter;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  config: Pick<Config, 'monitoring' | 'retention'>;
}): Maintenance {
  const { database, authenticator, limiter, clock, logger, metrics, config } = parts;
  const count = registerMaintenanceMetrics(metrics, { database, clock, retention: config.retention });
  const silence = new SilenceWatch({ database, clock, ...config.monitoring });
  const start = (task: MaintenanceTask, { everyMs, work, failed }: Round) => {
    const loop = new PollingLoop({
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
    loop.start();
    return loop;
  };
  const tasks = start('upkeep', {
    everyMs: MINUTE_MS,
    work: (signal) => runMaintenance({ database, authenticator, limiter, silence, clock, signal }),
    failed: 'maintenance task failed',
  });
  // Separate from the other tasks: it may take long, and they must not wait for it.
  const purging = start('purge', {
    everyMs: PURGE_EVERY_MS,
    async work(signal) {
      const { deleted, results } = await purge({
        database,
        clock,
        config: config.retention,
        actor: SERVICE,
        dryRun: false,
        signal,
      });
      const removed = results.filter(({ rows }) => Object.keys(rows).length > 0);
      if (deleted.length + removed.length > 0) logger.info({ deleted, removed }, 'expired data purged');
    },
    failed: 'purge of expired data failed',
  });
  return {
    async stop() {
      await Promise.all([tasks.stop(), purging.stop()]);
      await authenticator.recordUses();
    },
  };
}
