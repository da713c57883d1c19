import type { Database } from '../../database/index.ts';
import { purgeAnswers } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { SilenceWatch } from '../devices/index.ts';
import { nonceStore } from '../devices/index.ts';
import { purgeIndicators } from '../indicators/index.ts';
import { tenantStore } from '../tenants/index.ts';
import type { TokenAuthenticator } from '../tokens/index.ts';
import { purgeDeliveries, purgeLostWebhooks, renewMemoryHold } from '../webhooks/index.ts';

/**
 * Does what a running service does once a minute. A chore that fails, or fails for a tenant, keeps nothing else back.
 *
 * @throws the signal's reason when it is aborted, AggregateError in the end when a chore failed
 */
export async function runMaintenance(parts: {
  database: Database;
  authenticator: Pick<TokenAuthenticator, 'recordUses'>;
  limiter: { purgeIdle(): Promise<void> };
  silence: Pick<SilenceWatch, 'checkIfDue'>;
  secrets: SecretBox;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  const { database, authenticator, limiter, silence, secrets, clock, signal } = parts;
  const failures = new FailureCollector({ signal, requireUse: () => database.ping() });
  await failures.run('uses of tokens', () => authenticator.recordUses());
  await failures.run('held webhooks', () => renewMemoryHold({ database, secrets, clock }));
  await failures.run('lost webhooks', () => purgeLostWebhooks({ database, secrets, clock }));
  await purgeShortLived(database, { failures, nowMs: clock.now() });
  await failures.run('limiter', () => limiter.purgeIdle());
  await failures.run('removed indicators', () => purgeIndicators(database, signal));
  await failures.run('silent devices', () => silence.checkIfDue(signal));
  failures.throwIfAny();
}

/** Small transactions: nobody's events wait for long. */
async function purgeShortLived(
  database: Database,
  { failures, nowMs }: { failures: FailureCollector; nowMs: number },
): Promise<void> {
  const tenantIds = await failures.run('tenants', () => tenantStore.list(database.read));
  for (const tenantId of tenantIds ?? []) {
    await failures.run(tenantId, async () => {
      await database.transaction(async (tx) => {
        await nonceStore.purge(tx, tenantId, nowMs);
        await purgeAnswers(tx, tenantId, nowMs);
      });
      await purgeDeliveries(database, tenantId, nowMs);
    });
  }
}
