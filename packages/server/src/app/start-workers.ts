import type { Database } from '../database/index.ts';
import { SERVICE } from '../features/audit/index.ts';
import { pruneDeliveries, removeDeliveries } from '../features/deliveries/index.ts';
import { nonceStore } from '../features/devices/index.ts';
import { sweepAnswers } from '../features/idempotency/index.ts';
import { SilenceWatch } from '../features/monitoring/index.ts';
import { tidyUp } from '../features/retention/index.ts';
import { tenantStore } from '../features/tenants/index.ts';
import type { TokenAuthenticator } from '../features/tokens/index.ts';
import { forgetLostWebhooks, keepHeld } from '../features/webhooks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { ServiceLimiter } from './create-limiter.ts';

const EVERY_MS = 60_000;
/** Between two looks for what is kept no longer. The first comes soon after the start. */
const TIDY_EVERY_MS = 3_600_000;

export interface Workers {
  /** Waits for the rounds that are under way, writes what is still to be written, and ends. */
  stop(): Promise<void>;
}

/**
 * Does the chores of a running service once a minute and, beside them, removes every hour what is kept no longer. A round
 * that fails is logged; the next one makes up for it.
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
  const chores = repeat(EVERY_MS, {
    work: async () => {
      await authenticator.recordUses();
      await keepHeld({ database, secrets, clock });
      await forgetLostWebhooks({ database, secrets, clock, removeDeliveries });
      await sweepTenants(database, clock.now());
      await limiter.sweep();
      await silence.look();
    },
    failed: (error) => logger.warn({ err: error }, 'a round of chores failed'),
  });
  // Apart from the others: it may take long, and they must not wait for it.
  const tidying = repeat(TIDY_EVERY_MS, {
    work: async (signal) => {
      const { deleted, results } = await tidyUp({
        ...{ database, clock, config: config.retention, actor: SERVICE, dryRun: false, signal },
      });
      const removed = results.filter(({ rows }) => Object.keys(rows).length > 0);
      if (deleted.length + removed.length > 0) logger.info({ deleted, removed }, 'old data was removed');
    },
    failed: (error) => logger.warn({ err: error }, 'old data could not be removed'),
  });
  return {
    async stop() {
      await Promise.all([chores.stop(), tidying.stop()]);
      await authenticator.recordUses();
    },
  };
}

/** Does some work a minute after the start, and then again and again, never twice at once. */
function repeat(
  everyMs: number,
  { work, failed }: { work: (signal: AbortSignal) => Promise<void>; failed: (error: unknown) => void },
): Workers {
  const controller = new AbortController();
  let round: Promise<void> = Promise.resolve();
  const begin = () => {
    round = round
      .then(() => (controller.signal.aborted ? undefined : work(controller.signal)))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) failed(error);
      });
    timer = setTimeout(begin, everyMs).unref();
  };
  let timer = setTimeout(begin, EVERY_MS).unref();
  return {
    async stop() {
      clearTimeout(timer);
      controller.abort();
      await round;
    },
  };
}

/** Small transactions: nobody's events wait for long. */
async function sweepTenants(database: Database, nowMs: number): Promise<void> {
  for (const tenantId of await tenantStore.list(database.read)) {
    await database.transaction(async (tx) => {
      await nonceStore.sweep(tx, tenantId, nowMs);
      await sweepAnswers(tx, tenantId, nowMs);
    });
    await pruneDeliveries(database, tenantId, nowMs);
  }
}
