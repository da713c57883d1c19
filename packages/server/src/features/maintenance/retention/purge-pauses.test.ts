import { storeSpecimens, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { Database } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { SERVICE } from '../../audit/index.ts';
import { purgeDueTenants, TenantDeletion } from '../../tenants/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { purgeExpiredData } from './purge-expired-data.ts';

/** The minimum pause between transactions, less 2 ms because timers may fire early. */
const MIN_PAUSE_MS = 5 - 2;
const clock = new ManualClock();
const store = useTestDatabase();

/** The same store, which records the pause between one transaction and the next. */
function watchTransactions(): { database: Database; pausesMs: number[] } {
  const { database: real } = store;
  const pausesMs: number[] = [];
  let endedAtMs = 0;
  const database: Database = {
    ...real,
    async transaction(work, options) {
      if (endedAtMs > 0) pausesMs.push(performance.now() - endedAtMs);
      const result = await real.transaction(work, options);
      endedAtMs = performance.now();
      return result;
    },
  };
  return { database, pausesMs };
}

async function createCrowded(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const { tenantId } = await store.database.transaction((tx) =>
    tenants.create(tx, { name: 'crowded', environment: 'test' }),
  );
  const crowded = { atMs: 1, incident: 'ended', jobStatus: 'completed', crowd: 2500 } as const;
  await storeSpecimens(store.database, tenantId, [crowded]);
  return tenantId;
}

test('a purge pauses between transactions, so that other processes can use the store', async () => {
  const tenantId = await createCrowded();
  const retaining = watchTransactions();
  const config = { eventDays: 1, derivedDays: 1, jobDays: 1, auditDays: 1 };
  await purgeExpiredData({
    database: retaining.database,
    clock,
    config,
    tenantId,
    actor: SERVICE,
    dryRun: false,
  });
  expect(retaining.pausesMs.length).toBeGreaterThan(5);
  expect(Math.min(...retaining.pausesMs)).toBeGreaterThanOrEqual(MIN_PAUSE_MS);

  const doomed = await createCrowded();
  await new TenantDeletion({ database: store.database, clock }).begin(doomed, 0);
  const removing = watchTransactions();
  await purgeDueTenants({ database: removing.database, clock, actor: SERVICE });
  expect(removing.pausesMs.length).toBeGreaterThan(5);
  expect(Math.min(...removing.pausesMs)).toBeGreaterThanOrEqual(MIN_PAUSE_MS);
});
