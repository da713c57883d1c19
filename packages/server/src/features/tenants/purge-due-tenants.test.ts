import { IS_SOAK } from '@tps/testing/soak';
import { dumpTables, listTables, useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import { purgeDueTenants, type TenantRemoval } from './purge-due-tenants.ts';
import { TenantDeletion } from './tenant-deletion.ts';
import { createFullTenant } from './testing/full-tenant.ts';

const DAY_MS = 86_400_000;
/** A deletion begins so long before its days have passed, so that the last row is gone by then. */
const LEAD_MS = 2 * 3_600_000;
/** `npm run test:soak` stops after each transaction, `npm test` after every sixth. */
const STOP_EVERY = IS_SOAK ? 1 : 6;
const clock = new ManualClock();
let deletion: TenantDeletion;

const store = useTestDatabase();

beforeAll(async () => {
  deletion = new TenantDeletion({ database: store.database, clock });
});

const remove = (more: Partial<TenantRemoval> = {}) =>
  purgeDueTenants({ database: store.database, clock, actor: SERVICE, ...more });

/** Lists the tables that have a `tenant_id` column, from the schema of the store. */
async function listTenantTables(): Promise<string[]> {
  const found: string[] = [];
  const { read } = store.database;
  for (const table of await listTables(store.database)) {
    const query =
      read.engine === 'sqlite'
        ? sql`select 1 from pragma_table_info(${table}) where name = 'tenant_id'`
        : sql`select 1 from information_schema.columns where table_name = ${table} and column_name = 'tenant_id'`;
    if ((await query.execute(read.db as never)).rows.length > 0) found.push(table);
  }
  return found;
}

async function countIn(table: string, tenantId: TenantId): Promise<number> {
  const query = sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} where tenant_id = ${tenantId}`;
  const { rows } = await query.execute(store.database.read.db as never);
  return Number(rows[0]?.total);
}

async function countsOf(tenantId: TenantId): Promise<Record<string, number>> {
  const tables = await listTenantTables();
  return Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await countIn(table, tenantId)])),
  );
}

/** Returns each row of the whole store that mentions the tenant. */
async function mentionsOf(tenantId: TenantId): Promise<[string, string][]> {
  const dumps = [...(await dumpTables(store.database))];
  return dumps.flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(tenantId)).map((row): [string, string] => [table, row]),
  );
}

async function limitRequestsOf(tenantId: TenantId): Promise<void> {
  if (store.database.engine !== 'postgres') return;
  const query = sql`select * from admit_requests(
    array[${`tenant ${tenantId}`}], array[5], array[1], array[gen_random_uuid()], 60000)`;
  await store.database.transaction((tx) => query.execute(tx.db as never));
}

test('a deleted tenant leaves one audit entry in the whole store, and other tenants lose no row', async () => {
  const [doomed, other] = [
    await createFullTenant(store.database, clock),
    await createFullTenant(store.database, clock),
  ];
  await limitRequestsOf(doomed);
  await limitRequestsOf(other);
  await deletion.begin(doomed, 30);
  const before = await countsOf(doomed);
  // A table that is empty from the start would prove nothing.
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
  const othersBefore = await mentionsOf(other);
  expect(othersBefore.length).toBeGreaterThan(1500);

  clock.advance(30 * DAY_MS - LEAD_MS - 1);
  expect(await remove()).toEqual([]);
  expect(await countsOf(doomed)).toEqual(before);
  clock.advance(1);
  expect(await remove()).toEqual([{ tenantId: doomed, rows: before }]);

  expect(Object.values(await countsOf(doomed)).every((count) => count === 0)).toBe(true);
  const mentions = await mentionsOf(doomed);
  expect(mentions.map(([table]) => table)).toEqual(['audit_entries']);
  const page = { after: undefined, limit: 10 };
  const filter = { actionPrefix: 'tenant.', resourceId: doomed };
  const trail = await auditStore.list(store.database.read, NO_TENANT as TenantId, filter, page);
  expect(trail).toMatchObject([
    { tenant_id: null, action: 'tenant.deleted', actor: SERVICE, fields: { rows: before } },
  ]);
  expect(JSON.stringify(mentions)).not.toContain('Full Ltd');
  expect(await mentionsOf(other)).toEqual(othersBefore);
  expect(await remove()).toEqual([]);
});

// One removal for each transaction of a removal: minutes on a busy machine.
test('the next run completes a removal stopped after any transaction, and counts every row', {
  timeout: 600_000,
}, async () => {
  const removeNow = async (tenantId: TenantId, more: Partial<TenantRemoval> = {}) =>
    remove({ tenantId, ...more });
  const whole = await createFullTenant(store.database, clock);
  await deletion.begin(whole, 0);
  let transactions = 0;
  const onProgress = () => {
    transactions += 1;
  };
  const [total] = await removeNow(whole, { onProgress });
  expect(transactions).toBeGreaterThan(25);
  for (let stopAfter = 1; stopAfter <= transactions; stopAfter += STOP_EVERY) {
    const tenantId = await createFullTenant(store.database, clock);
    await deletion.begin(tenantId, 0);
    const controller = new AbortController();
    let done = 0;
    const stop = () => {
      done += 1;
      if (done === stopAfter) controller.abort();
    };
    const stopped = removeNow(tenantId, { onProgress: stop, signal: controller.signal });
    await expect(stopped).rejects.toThrow(/abort/i);
    // The tenant row is removed last, so an unfinished removal is visible.
    expect(await countIn('tenants', tenantId)).toBe(1);
    expect(await removeNow(tenantId)).toEqual([{ tenantId, rows: total?.rows }]);
    expect((await mentionsOf(tenantId)).map(([table]) => table)).toEqual(['audit_entries']);
  }
});

test('the next run removes rows that a late request wrote after its tenant was removed', async () => {
  const tenantId = await createFullTenant(store.database, clock);
  await deletion.begin(tenantId, 0);
  await remove({ tenantId });
  await store.database.transaction((tx) =>
    tx.insertMany('scans', [{ tenant_id: tenantId, scan_id: 'scn_late', result: '{}', created_at: 1 }]),
  );
  expect(await countIn('scans', tenantId)).toBe(1);
  await remove();
  expect(await countIn('scans', tenantId)).toBe(0);
});

test('two concurrent removals write one audit entry', async () => {
  const tenantId = await createFullTenant(store.database, clock);
  await deletion.begin(tenantId, 0);
  const ended = await Promise.all([remove({ tenantId }), remove({ tenantId })]);
  expect(ended.flat()).toHaveLength(1);
  expect((await mentionsOf(tenantId)).map(([table]) => table)).toEqual(['audit_entries']);
});

test('a tenant can be restored until its grace period is over', async () => {
  const tenantId = await createFullTenant(store.database, clock);
  await expect(deletion.restore(tenantId)).rejects.toThrow('not being deleted');
  await deletion.begin(tenantId, 1);
  clock.advance(DAY_MS - LEAD_MS - 1);
  const before = await countsOf(tenantId);
  await deletion.restore(tenantId);
  clock.advance(DAY_MS);
  expect(await remove()).toEqual([]);
  expect(await countsOf(tenantId)).toEqual({ ...before, audit_entries: (before.audit_entries ?? 0) + 1 });

  await deletion.begin(tenantId, 1);
  clock.advance(DAY_MS);
  await expect(deletion.restore(tenantId)).rejects.toThrow('being deleted permanently');
  await expect(deletion.begin(tenantId, 30)).rejects.toThrow('being deleted permanently');
  await expect(deletion.restore('tnt_unknown')).rejects.toMatchObject({ code: 'not_found' });
  await expect(deletion.begin('tnt_unknown', 1)).rejects.toMatchObject({ code: 'not_found' });
});
