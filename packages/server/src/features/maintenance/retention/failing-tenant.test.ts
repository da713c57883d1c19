import { refuseDeletes, storeSpecimens, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { SERVICE } from '../../audit/index.ts';
import { TenantDeletion } from '../../tenants/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { purge } from '../purge.ts';
import { purgeExpiredData } from './purge-expired-data.ts';

const clock = new ManualClock();
const config = { eventDays: 1, derivedDays: 1, jobDays: 1, auditDays: 1 };

const store = useTestDatabase();

const base = () => ({ database: store.database, clock, config, actor: SERVICE, dryRun: false });

async function createAged(): Promise<TenantId> {
  // Tenants are processed in the order of their creation.
  clock.advance(1);
  const tenants = new TenantService({ database: store.database, clock });
  const { tenantId } = await store.database.transaction((tx) =>
    tenants.create(tx, { name: 'aged', environment: 'test' }),
  );
  await storeSpecimens(store.database, tenantId, [{ atMs: 1, incident: 'ended', jobStatus: 'completed' }]);
  return tenantId;
}

async function countOf(table: string, tenantId: TenantId): Promise<number> {
  const query = sql<{
    total: number;
  }>`select count(*) as total from ${sql.table(table)} where tenant_id = ${tenantId}`;
  const { rows } = await query.execute(store.database.read.db as never);
  return Number(rows[0]?.total);
}

test('a failure in one class of a tenant stops neither its other classes nor other tenants', async () => {
  const [broken, sound] = [await createAged(), await createAged()];
  const release = await refuseDeletes(store.database, { table: 'alerts', tenantId: broken });
  const failure = await purgeExpiredData(base()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({
    message: expect.stringMatching(`^1 failed: ${broken}, derived: .*refused`),
  });
  expect([await countOf('alerts', broken), await countOf('scans', broken)]).toEqual([1, 0]);
  expect([await countOf('alerts', sound), await countOf('scans', sound)]).toEqual([0, 0]);
  await release();
  await purgeExpiredData(base());
  expect(await countOf('alerts', broken)).toBe(0);
});

test('a failed deletion of a tenant stops neither other deletions nor the purge of expired data', async () => {
  const [broken, doomed, sound] = [await createAged(), await createAged(), await createAged()];
  const deletion = new TenantDeletion({ database: store.database, clock });
  await deletion.begin(broken, 0);
  await deletion.begin(doomed, 0);
  const release = await refuseDeletes(store.database, { table: 'jobs', tenantId: broken });
  const failure = await purge(base()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({ message: expect.stringContaining(`deleted tenants: ${broken}: `) });
  expect([await countOf('tenants', broken), await countOf('tenants', doomed)]).toEqual([1, 0]);
  expect(await countOf('scans', sound)).toBe(0);
  await release();
  expect(await purge(base())).toMatchObject({ deleted: [{ tenantId: broken }] });
});

test('an abort ends the whole purge at once, with the reason of the signal', async () => {
  await createAged();
  const reason = new Error('stop');
  const controller = new AbortController();
  const onProgress = () => controller.abort(reason);
  await expect(purge({ ...base(), onProgress, signal: controller.signal })).rejects.toBe(reason);
});
