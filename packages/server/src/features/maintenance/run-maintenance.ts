import type { Database } from '../../database/index.ts';
import { purgeAnswers } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import { purgeSignIns } from '../accounts/index.ts';
import type { SilenceWatch } from '../devices/index.ts';
import { nonceStore } from '../devices/index.ts';
import { purgeIndicators } from '../indicators/index.ts';
import { purgeInvitations } from '../members/index.ts';
import { purgeNotices } from '../notices/index.ts';
import { purgeOauth } from '../oauth/index.ts';
import { tenantStore } from '../tenants/index.ts';
import type { TokenAuthenticator } from '../tokens/index.ts';
import { purgeDeliveries } from '../webhooks/index.ts';

/**
 * Runs the tasks that a service repeats once a minute. A task that fails, or fails for one tenant, does not stop the
 * others.
 *
 * @throws the signal's reason when it is aborted, AggregateError at the end if a task failed
 */
export async function runMaintenance(parts: {
  database: Database;
  authenticator: Pick<TokenAuthenticator, 'recordUses'>;
  limiter: { purgeIdle(): Promise<void> };
  silence: Pick<SilenceWatch, 'checkIfDue'>;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  const { database, authenticator, limiter, silence, clock, signal } = parts;
  const failures = new FailureCollector({ signal, assertUsable: () => database.ping() });
  await failures.run('token usage', () => authenticator.recordUses());
  await purgeShortLived(database, { failures, nowMs: clock.now() });
  await failures.run('sign-ins', () => purgeSignIns({ database, clock }));
  await failures.run('invitations', () => purgeInvitations(database, clock.now()));
  await failures.run('authorization server', () => purgeOauth(database, { nowMs: clock.now(), signal }));
  await failures.run('rate limiter', () => limiter.purgeIdle());
  await failures.run('removed indicators', () => purgeIndicators(database, signal));
  await failures.run('silent devices', () => silence.checkIfDue(signal));
  failures.throwIfAny();
}

/** Uses small transactions, so that events never wait long. */
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
      await purgeNotices(database, tenantId, nowMs);
    });
  }
}
