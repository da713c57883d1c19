import { refuseDeletes, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { nonceStore } from '../devices/index.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import { runMaintenance } from './run-maintenance.ts';

const clock = new ManualClock();
const store = useTestDatabase();

function start(signal = new AbortController().signal): Promise<void> {
  const { database } = store;
  const purgeTenant = (tenantId: TenantId, nowMs: number) =>
    database.transaction((tx) => nonceStore.purge(tx, tenantId, nowMs));
  return runMaintenance({ database, clock, signal, features: [{ purgeTenant }] });
}

/** Creates a tenant with the nonce of a signature that is no longer accepted. */
async function createTenant(): Promise<TenantId> {
  const { database } = store;
  // Tenants are processed in the order of their creation.
  clock.advance(1);
  return database.transaction(async (tx) => {
    const wanted = { name: 'x', environment: 'test' } as const;
    const { tenantId } = await new TenantService({ database, clock }).create(tx, wanted);
    await tx.insertMany('request_nonces', [
      { tenant_id: tenantId, device_id: 'dev_x', bucket: 1, nonce: 'x' },
    ]);
    return tenantId;
  });
}

async function listUnpurged(): Promise<string[]> {
  const rows = await store.database.read.db.selectFrom('request_nonces').select('tenant_id').execute();
  return rows.map((row) => row.tenant_id);
}

test('a tenant whose maintenance fails does not stop that of others, and the error names it', async () => {
  const [, broken] = [await createTenant(), await createTenant(), await createTenant()];
  const release = await refuseDeletes(store.database, { table: 'request_nonces', tenantId: broken });
  await expect(start()).rejects.toThrow(new RegExp(`^1 failed: ${broken}: .*refused`));
  expect(await listUnpurged()).toEqual([broken]);
  await release();
  await start();
  expect(await listUnpurged()).toEqual([]);
});

test('maintenance yields between tenants, and an abort ends it there', async () => {
  await Promise.all(Array.from({ length: 50 }, createTenant));
  const controller = new AbortController();
  const reason = new Error('stop');
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns === 10) controller.abort(reason);
    else setImmediate(turn);
  };
  setImmediate(turn);
  await expect(start(controller.signal)).rejects.toBe(reason);
  expect((await listUnpurged()).length).toBeGreaterThan(30);
  await start();
  expect(await listUnpurged()).toEqual([]);
});
