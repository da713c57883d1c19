import { type Database, purgeAnswers } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { FailureCollector } from '../../platform/concurrency/collect-failures.ts';
import type { Feature } from '../feature.ts';
import { tenantStore } from '../tenants/index.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly features: readonly Pick<Feature, 'chores' | 'purgeTenant'>[];
  readonly signal: AbortSignal;
}

/**
 * Does what a service repeats once a minute. A chore that fails, or fails for one tenant, does not stop the others.
 *
 * @throws the signal's reason when it is aborted, AggregateError at the end if a chore failed
 */
export async function runMaintenance(parts: Parts): Promise<void> {
  const { database, features, signal } = parts;
  const failures = new FailureCollector({ signal, assertUsable: () => database.ping() });
  await purgeTenants(parts, failures);
  for (const { chores = {} } of features) {
    for (const [name, work] of Object.entries(chores)) await failures.run(name, () => work(signal));
  }
  failures.throwIfAny();
}

/** Uses small transactions, so that events never wait long. */
async function purgeTenants({ database, clock, features }: Parts, failures: FailureCollector): Promise<void> {
  const nowMs = clock.now();
  const tenantIds = await failures.run('tenants', () => tenantStore.list(database.read));
  for (const tenantId of tenantIds ?? []) {
    await failures.run(tenantId, async () => {
      await database.transaction((tx) => purgeAnswers(tx, tenantId, nowMs));
      for (const feature of features) await feature.purgeTenant?.(tenantId, nowMs);
    });
  }
}
