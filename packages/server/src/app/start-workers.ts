import type { Database } from '../database/index.ts';
import { pruneDeliveries, removeDeliveries } from '../features/deliveries/index.ts';
import { nonceStore } from '../features/devices/index.ts';
import { sweepAnswers } from '../features/idempotency/index.ts';
import { tenantStore } from '../features/tenants/index.ts';
import type { TokenAuthenticator } from '../features/tokens/index.ts';
import { forgetLostWebhooks, keepHeld } from '../features/webhooks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { ServiceLimiter } from './create-limiter.ts';

const EVERY_MS = 60_000;

export interface Workers {
  /** Waits for the round that is under way, writes what is still to be written, and ends. */
  stop(): Promise<void>;
}

/** Does the chores of a running service once a minute. A round that fails is logged; the next one makes up for it. */
export function startWorkers(parts: {
  database: Database;
  authenticator: TokenAuthenticator;
  limiter: ServiceLimiter;
  secrets: SecretBox;
  clock: Clock;
  logger: Logger;
}): Workers {
  const { database, authenticator, limiter, secrets, clock, logger } = parts;
  let round: Promise<void> = Promise.resolve();

  const work = async () => {
    await authenticator.recordUses();
    await keepHeld({ database, secrets, clock });
    await forgetLostWebhooks({ database, secrets, clock, removeDeliveries });
    await sweepTenants(database, clock.now());
    await limiter.sweep();
  };
  const timer = setInterval(() => {
    round = round
      .then(work)
      .catch((error: unknown) => logger.warn({ err: error }, 'a round of chores failed'));
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
      await authenticator.recordUses();
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
