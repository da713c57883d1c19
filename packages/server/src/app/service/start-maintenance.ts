import type { Database } from '../../database/index.ts';
import { SERVICE } from '../../features/audit/index.ts';
import { SilenceWatch } from '../../features/devices/index.ts';
import { purge, runMaintenance } from '../../features/maintenance/index.ts';
import type { TokenAuthenticator } from '../../features/tokens/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { repeat } from '../../platform/concurrency/repeat.ts';
import type { Config } from '../../platform/config/config.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ServiceLimiter } from './create-limiter.ts';

const MINUTE_MS = 60_000;
/** Between two purges of expired data. The first comes soon after the start. */
const TIDY_EVERY_MS = 3_600_000;

export interface Workers {
  /** Waits for the current rounds, writes what is pending, and ends. */
  stop(): Promise<void>;
}

/**
 * Runs the maintenance tasks once a minute and, separately, purges expired data every hour. A failed task does not
 * stop the others: it is logged, and the next round repeats it.
 */
export function startWorkers(parts: {
  database: Database;
  authenticator: TokenAuthenticator;
  limiter: ServiceLimiter;
  secrets: SecretBox;
  clock: Clock;
  logger: Logger;
  config: Pick<Config, 'monitoring' | 'retention'>;
}): Workers {
  const { database, authenticator, limiter, secrets, clock, logger, config } = parts;
  const silence = new SilenceWatch({ database, clock, ...config.monitoring });
  const logFailures = (message: string) => (error: unknown) => {
    for (const err of error instanceof AggregateError ? error.errors : [error]) logger.warn({ err }, message);
  };
  const everyMinute = { firstAfterMs: MINUTE_MS, everyMs: MINUTE_MS };
  const chores = repeat(everyMinute, {
    work: (signal) => runMaintenance({ database, authenticator, limiter, silence, secrets, clock, signal }),
    failed: logFailures('maintenance task failed'),
  });
  // Separate from the other tasks: it may take long, and they must not wait for it.
  const tidying = repeat(
    { firstAfterMs: MINUTE_MS, everyMs: TIDY_EVERY_MS },
    {
      work: async (signal) => {
        const { deleted, results } = await purge({
          ...{ database, clock, config: config.retention, actor: SERVICE, dryRun: false, signal },
        });
        const removed = results.filter(({ rows }) => Object.keys(rows).length > 0);
        if (deleted.length + removed.length > 0) logger.info({ deleted, removed }, 'expired data purged');
      },
      failed: logFailures('purge of expired data failed'),
    },
  );
  return {
    async stop() {
      await Promise.all([chores.stop(), tidying.stop()]);
      await authenticator.recordUses();
    },
  };
}
