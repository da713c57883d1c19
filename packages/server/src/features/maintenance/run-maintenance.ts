import type { Database } from '../../database/index.ts';
import { sweepAnswers } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { Attempts } from '../../platform/concurrency/collect-failures.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { SilenceWatch } from '../devices/index.ts';
import { nonceStore } from '../devices/index.ts';
import { sweepIndicators } from '../indicators/index.ts';
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
  limiter: { sweep(): Promise<void> };
  silence: Pick<SilenceWatch, 'look'>;
  secrets: SecretBox;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  const { database, authenticator, limiter, silence, secrets, clock, signal } = parts;
  const attempts = new Attempts({ signal, requireUse: () => database.ping() });
  await attempts.attempt('uses of tokens', () => authenticator.recordUses());
  await attempts.attempt('held webhooks', () => renewMemoryHold({ database, secrets, clock }));
  await attempts.attempt('lost webhooks', () => purgeLostWebhooks({ database, secrets, clock }));
  await sweepTenants(database, { attempts, nowMs: clock.now() });
  await attempts.attempt('limiter', () => limiter.sweep());
  await attempts.attempt('removed indicators', () => sweepIndicators(database, signal));
  await attempts.attempt('silent devices', () => silence.look(signal));
  attempts.end();
}

/** Small transactions: nobody's events wait for long. */
async function sweepTenants(
  database: Database,
  { attempts, nowMs }: { attempts: Attempts; nowMs: number },
): Promise<void> {
  const tenantIds = await attempts.attempt('tenants', () => tenantStore.list(database.read));
  for (const tenantId of tenantIds ?? []) {
    await attempts.attempt(tenantId, async () => {
      await database.transaction(async (tx) => {
        await nonceStore.sweep(tx, tenantId, nowMs);
        await sweepAnswers(tx, tenantId, nowMs);
      });
      await purgeDeliveries(database, tenantId, nowMs);
    });
  }
}
