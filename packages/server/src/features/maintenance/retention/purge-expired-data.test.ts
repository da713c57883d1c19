import { repetitions } from '@tps/testing/soak';
import {
  dumpTable,
  RETAINED_TABLES,
  type Specimen,
  storeSpecimens,
  useTestDatabase,
} from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { purgeExpiredData, type RetentionResult, type RetentionRun } from './purge-expired-data.ts';
import { addCounts, type Counts } from './purge-task.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock();
const DAYS = 30;
const config = { eventDays: DAYS, derivedDays: DAYS, jobDays: DAYS, auditDays: DAYS };
const edgeMs = clock.now() - DAYS * DAY_MS;

const store = useTestDatabase();

const base = () => ({ database: store.database, clock, config, actor: SERVICE, dryRun: false });
const run = (tenantId: TenantId, more: Partial<RetentionRun> = {}) =>
  purgeExpiredData({ ...base(), tenantId, ...more });

async function createTenant(specimens: readonly Specimen[]): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const { tenantId } = await store.database.transaction((tx) =>
    tenants.create(tx, { name: 'aged', environment: 'test' }),
  );
  await storeSpecimens(store.database, tenantId, specimens);
  return tenantId;
}

/** Returns the rows of a tenant by table, without the audit entries of purges. */
async function contentsOf(tenantId: string): Promise<Record<string, string[]>> {
  const entries = RETAINED_TABLES.map(async (table) => {
    const rows = await dumpTable(store.database, table, tenantId);
    return [table, rows.filter((row) => !/retention\.|tenant\./.test(row))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const sizesOf = (contents: Record<string, string[]>): Record<string, number> =>
  Object.fromEntries(Object.entries(contents).map(([table, rows]) => [table, rows.length]));

const removedBy = (results: readonly RetentionResult[]) =>
  results.reduce<Counts>((sum, { rows }) => addCounts(sum, rows), {});

const audited = async (tenantId: TenantId) => {
  const filter = { actionPrefix: 'retention.' };
  const entries = await auditStore.list(store.database.read, tenantId, filter, {
    after: undefined,
    limit: 1000,
  });
  return entries.reduce<Counts>((sum, { fields }) => addCounts(sum, fields.rows as Counts), {});
};

const specimen = fc.record({
  // To the millisecond around the cutoff, and far from it.
  atMs: fc.constantFrom(-400 * DAY_MS, -DAY_MS, -2, -1, 0, 1, 2, DAY_MS).map((offset) => edgeMs + offset),
  incident: fc.constantFrom(
    'none' as const,
    'unresolved' as const,
    'ended' as const,
    'ended_lately' as const,
  ),
  jobStatus: fc.constantFrom(
    ...(['waiting_review', 'completed', 'rejected', 'cancelled', 'failed'] as const),
  ),
  lateEventAtMs: fc.constantFrom(undefined, edgeMs - 1, edgeMs, edgeMs + 5),
  changedAtMs: fc.constantFrom(undefined, undefined, edgeMs - 1, edgeMs),
});

/** Computes the number of remaining rows of each table independently. */
function expectedOf(specimens: readonly Specimen[]): Record<string, number> {
  const count = (holds: (specimen: Specimen) => boolean) => specimens.filter(holds).length;
  const isYoung = ({ atMs }: Specimen) => atMs >= edgeMs;
  const isFresh = (each: Specimen) => isYoung(each) || (each.changedAtMs ?? 0) >= edgeMs;
  const isHeld = ({ incident }: Specimen) => incident === 'unresolved' || incident === 'ended_lately';
  const hasYoungEvent = ({ lateEventAtMs }: Specimen) => (lateEventAtMs ?? 0) >= edgeMs;
  const events = count(isYoung) + count(hasYoungEvent);
  const threats = count((each) => isFresh(each) || isHeld(each) || hasYoungEvent(each));
  const incidents = count((each) => each.incident !== 'none' && (isFresh(each) || isHeld(each)));
  const jobs = count((each) => isFresh(each) || each.jobStatus === 'waiting_review');
  const simple = count(isYoung);
  return {
    events,
    deliveries: events,
    threats,
    sightings: threats,
    alerts: count((each) => isFresh(each) || isHeld(each)),
    incidents,
    incident_members: 2 * incidents,
    incident_timeline: incidents,
    jobs,
    traces: jobs,
    trace_steps: 2 * jobs,
    artifacts: jobs,
    job_inputs: jobs,
    scans: simple,
    audit_entries: simple,
  };
}

test('a purge removes exactly what expired, to the millisecond and as the dry run counted', async () => {
  const bystander = await createTenant([
    { atMs: edgeMs - DAY_MS, incident: 'ended', jobStatus: 'completed' },
  ]);
  const untouched = await contentsOf(bystander);
  await fc.assert(
    fc.asyncProperty(fc.array(specimen, { maxLength: 25 }), async (specimens) => {
      const tenantId = await createTenant(specimens);
      const before = await contentsOf(tenantId);
      const counted = await run(tenantId, { dryRun: true });
      expect(await contentsOf(tenantId)).toEqual(before);
      expect(await audited(tenantId)).toEqual({});

      const removed = await run(tenantId);
      const after = await contentsOf(tenantId);
      expect(sizesOf(after)).toEqual(expectedOf(specimens));
      expect(removed).toEqual(counted);
      expect(await audited(tenantId)).toEqual(removedBy(removed));
      for (const [table, rows] of Object.entries(after)) {
        expect(before[table]).toEqual(expect.arrayContaining(rows));
        expect(removedBy(removed)[table] ?? 0).toBe((before[table]?.length ?? 0) - rows.length);
      }
      expect(removedBy(await run(tenantId))).toEqual({});
    }),
    { numRuns: repetitions({ short: 12, soak: process.env.TEST_STORE === 'postgres' ? 15 : 60 }) },
  );
  expect(await contentsOf(bystander)).toEqual(untouched);
});

test('a purge leaves the feed without gaps and does not move its end', async () => {
  const specimens = [-3, -2, -1, 0, 1].map((offset): Specimen => {
    return { atMs: edgeMs + offset, incident: 'none', jobStatus: 'completed' };
  });
  const tenantId = await createTenant(specimens);
  const headOf = () =>
    store.database.read.db.selectFrom('feed_heads').selectAll().where('tenant_id', '=', tenantId).execute();
  const head = await headOf();
  await run(tenantId);
  const rows = await store.database.read.db
    .selectFrom('events')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .orderBy('position')
    .execute();
  expect(rows.map(({ position }) => position)).toEqual([4, 5]);
  expect(await headOf()).toEqual(head);
});

const many = (length: number, more: Partial<Specimen> = {}) =>
  Array.from({ length }, (_, index): Specimen => {
    return { atMs: edgeMs - DAY_MS - index, incident: 'ended', jobStatus: 'completed', ...more };
  });

test('the next run completes one stopped after any transaction, and audits each row once', async () => {
  const specimens = [
    ...many(120),
    ...many(5, { atMs: edgeMs, jobStatus: 'failed' }),
    ...many(1, { crowd: 2500 }),
    ...many(3, { incident: 'unresolved' }),
  ];
  const whole = await createTenant(specimens);
  let transactions = 0;
  const onProgress = () => {
    transactions += 1;
  };
  const total = removedBy(await run(whole, { onProgress }));
  const left = sizesOf(await contentsOf(whole));
  expect(transactions).toBeGreaterThan(12);
  for (let stopAfter = 1; stopAfter < transactions; stopAfter += 1) {
    const tenantId = await createTenant(specimens);
    const controller = new AbortController();
    let done = 0;
    const stop = () => {
      done += 1;
      if (done === stopAfter) controller.abort();
    };
    const stopped = run(tenantId, { onProgress: stop, signal: controller.signal });
    await expect(stopped).rejects.toThrow(/abort/i);
    expect(done).toBe(stopAfter);
    await run(tenantId);
    expect(sizesOf(await contentsOf(tenantId))).toEqual(left);
    expect(await audited(tenantId)).toEqual(total);
  }
});

test('no transaction removes more than a thousand rows', async () => {
  const tenantId = await createTenant([...many(1300), ...many(1, { crowd: 2500 })]);
  await run(tenantId);
  const filter = { actionPrefix: 'retention.' };
  const page = { after: undefined, limit: 1000 };
  const entries = await auditStore.list(store.database.read, tenantId, filter, page);
  const sizes = entries.map(({ fields }) => Object.values(fields.rows as Counts).reduce((a, b) => a + b, 0));
  expect(Math.max(...sizes)).toBe(1000);
  expect(entries[0]).toMatchObject({ action: 'retention.run', actor: SERVICE, tenant_id: tenantId });
});

test('two concurrent runs remove everything once', async () => {
  const tenantId = await createTenant(many(400));
  const before = sizesOf(await contentsOf(tenantId));
  await Promise.all([run(tenantId), run(tenantId)]);
  expect(Object.values(sizesOf(await contentsOf(tenantId))).every((size) => size === 0)).toBe(true);
  expect(await audited(tenantId)).toEqual(before);
  const page = { after: undefined, limit: 1000 };
  const filter = { actionPrefix: 'retention.' };
  const entries = await auditStore.list(store.database.read, tenantId, filter, page);
  // A run that removes nothing writes no entry.
  expect(entries.filter(({ fields }) => Object.keys(fields.rows as Counts).length === 0)).toEqual([]);
});

test('the audit trail without a tenant is kept as long as the service setting says', async () => {
  const append = (daysAgo: number) =>
    store.database.transaction((tx) =>
      auditStore.append(
        tx,
        {
          tenantId: null,
          actor: SERVICE,
          action: 'x.y',
          outcome: 'success',
          requestId: null,
          resource: { type: 'x', id: `${daysAgo}` },
          detail: 'x',
          fields: {},
        },
        clock.now() - daysAgo * DAY_MS,
      ),
    );
  for (const daysAgo of [31, 30, 29]) await append(daysAgo);
  await purgeExpiredData({ ...base(), dryRun: true });
  const results = await purgeExpiredData(base());
  expect(results.at(-1)).toMatchObject({ tenantId: null, dataClass: 'audit', rows: { audit_entries: 1 } });
  const left = await auditStore.list(
    ...([store.database.read, NO_TENANT as TenantId, { actionPrefix: 'x.' }] as const),
    { after: undefined, limit: 10 },
  );
  expect(left.map(({ resource }) => resource.id)).toEqual(['29', '30']);
});

test('a test delivery is kept, because its event was never in the feed', async () => {
  const tenantId = await createTenant(many(2));
  await store.database.transaction((tx) =>
    tx.db.updateTable('deliveries').set({ test_body: '{}' }).where('tenant_id', '=', tenantId).execute(),
  );
  await run(tenantId);
  expect(sizesOf(await contentsOf(tenantId))).toMatchObject({ events: 0, deliveries: 2 });
});
