import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../../database/index.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { RequestDatabase } from '../../authority/index.ts';
import { createOperator } from '../../authority/testing/create-operator.ts';
import { describeIncidents, incidentStore, upsertMonitoringIncident } from '../../incidents/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { SignatureFailures } from './signature-failures.ts';

const MINUTE_MS = 60_000;

const clock = new ManualClock();
let tenantId: TenantId;
let lines: string[];
let failures: SignatureFailures;
let requestIn: (tenantId: TenantId) => AdmittedRequest;

const store = useTestDatabase();

beforeAll(async () => {
  requestIn = await createOperator(store.database, 'tok_someone');
});

beforeEach(async () => {
  clock.advance(60 * MINUTE_MS);
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  tenantId = (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
  lines = [];
  failures = watch();
});

function watch(database = store.database): SignatureFailures {
  const logger = createLogger({
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  return new SignatureFailures({ database: new RequestDatabase({ database, clock }), clock, logger });
}

async function fail(count: number, deviceId = 'dev_a', noticedBy = failures): Promise<void> {
  for (let index = 0; index < count; index += 1) noticedBy.record(requestIn(tenantId), deviceId);
  await noticedBy.flush();
}

/** Another node's connection to the store; an SQLite store has one process, and here all share its connection. */
async function openNode(): Promise<Database> {
  if (store.database.engine === 'sqlite') return store.database;
  const database = await openDatabase(store.url);
  onTestFinished(() => database.close());
  return database;
}

async function listIncidents(deviceId = 'dev_a', of = tenantId) {
  return listAbout(`signature_failures:${deviceId}`, of);
}

/** Oldest first. */
async function listAbout(correlationKey: string, of = tenantId) {
  const { read } = store.database;
  const keys = { correlationKeys: [correlationKey], fromMs: 0 };
  const found = await incidentStore.findAbout(read, of, keys);
  return describeIncidents(
    read,
    of,
    found.sort((a, b) => a.createdAtMs - b.createdAtMs),
  );
}

async function resolveAll(correlationKey = 'signature_failures:dev_a'): Promise<void> {
  const keys = { correlationKeys: [correlationKey], fromMs: 0 };
  const found = await incidentStore.findAbout(store.database.read, tenantId, keys);
  const resolved = found.map((incident) => ({
    ...incident,
    status: 'resolved' as const,
    resolution: 'true_positive' as const,
  }));
  await store.database.transaction((tx) => incidentStore.saveMany(tx, tenantId, resolved));
}

test('ten failures within ten minutes open an incident that lists the device; nine do not', async () => {
  await fail(9);
  expect(await listIncidents()).toEqual([]);
  clock.advance(10 * MINUTE_MS - 1);
  await fail(1);
  expect(await listIncidents()).toMatchObject([
    {
      category: 'monitoring',
      status: 'open',
      severity: 'high',
      device_ids: ['dev_a'],
      message: expect.stringMatching(/^At least 10 requests in the name of device dev_a/),
      timeline: [{ kind: 'opened', actor: 'service' }],
    },
  ]);
});

test('failures that are further apart are not counted together', async () => {
  for (let round = 0; round < 30; round += 1) {
    await fail(1);
    clock.advance(MINUTE_MS + 7_000);
  }
  expect(await listIncidents()).toEqual([]);
});

test('failures of several devices, and of two tenants, are not counted together', async () => {
  const mine = tenantId;
  await fail(9);
  await fail(9, 'dev_b');
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'two', environment: 'test' } as const;
  tenantId = (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
  await fail(9);
  expect(await listIncidents()).toEqual([]);
  expect(await listIncidents('dev_a', mine)).toEqual([]);
  expect(await listIncidents('dev_b', mine)).toEqual([]);
  await fail(1);
  expect(await listIncidents()).toHaveLength(1);
  expect(await listIncidents('dev_a', mine)).toEqual([]);
});

test('while the incident is unresolved, nothing more is reported', async () => {
  await fail(500);
  const told = await listIncidents();
  clock.advance(10 * MINUTE_MS);
  await fail(500);
  expect(await listIncidents()).toEqual(told);
  expect(told[0]?.timeline).toHaveLength(1);
});

test('after its resolution, only ten new failures open another incident', async () => {
  await fail(10);
  await resolveAll();
  clock.advance(9 * MINUTE_MS);
  await fail(20);
  expect(await listIncidents()).toHaveLength(1);
  clock.advance(11 * MINUTE_MS);
  await fail(10);
  expect(await listIncidents()).toMatchObject([{ status: 'resolved' }, { status: 'open' }]);
});

test('two nodes that detect the same device open one incident', async () => {
  const node = watch(await openNode());
  await Promise.all([fail(10), fail(10, 'dev_a', node)]);
  expect(await listIncidents()).toMatchObject([{ timeline: [{ kind: 'opened' }] }]);
});

test('only the 10 000 devices that failed most recently are remembered', async () => {
  await fail(8, 'dev_late');
  await fail(9, 'dev_early');
  await fail(1, 'dev_late');
  for (let index = 0; index < 9_999; index += 1) failures.record(requestIn(tenantId), `dev_${index}`);
  await fail(1, 'dev_late');
  expect(await listIncidents('dev_late')).toHaveLength(1);
  await fail(1, 'dev_early');
  expect(await listIncidents('dev_early')).toEqual([]);
});

test('a failed write is logged, not thrown, and tried again at the next failure', async () => {
  const database = await openDatabase(store.url, { exclusive: false });
  await database.close();
  let isAway = true;
  const unsteady = {
    ...store.database,
    transaction: ((work, options) =>
      (isAway ? database : store.database).transaction(work, options)) as typeof database.transaction,
  };
  const noticedBy = watch(unsteady);
  await fail(10, 'dev_a', noticedBy);
  expect(lines.join('')).toContain('signature failure alert failed');
  expect(await listIncidents()).toEqual([]);
  isAway = false;
  await fail(1, 'dev_a', noticedBy);
  expect(await listIncidents()).toHaveLength(1);
});

async function countIncidents(): Promise<number> {
  const query = store.database.read.db.selectFrom('incidents').select('incident_id');
  return (await query.where('tenant_id', '=', tenantId).execute()).length;
}

test('impersonating many devices opens 20 incidents, and one that lists up to 100 more', async () => {
  for (let index = 0; index < 20; index += 1) await fail(10, `dev_${index}`);
  expect(await countIncidents()).toBe(20);
  expect(await listAbout('signature_failures')).toEqual([]);
  await fail(10, 'dev_20');
  await fail(10, 'dev_21');
  const [opened] = await listAbout('signature_failures');
  expect(opened?.timeline.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'opened']);
  expect(opened?.device_ids.toSorted()).toEqual(['dev_20', 'dev_21']);
  expect(await listAbout('signature_failures')).toMatchObject([
    {
      category: 'monitoring',
      status: 'open',
      severity: 'high',
      message: expect.stringMatching(/^Besides 20 devices .* in the name of 2 more devices had/),
    },
  ]);
  for (let index = 22; index < 150; index += 1) await fail(10, `dev_${index}`);
  expect(await countIncidents()).toBe(21);
  const [shared] = await listAbout('signature_failures');
  expect(shared?.message).toContain('in the name of more than 100 others');
  expect(shared?.device_ids).toHaveLength(100);
  expect(shared?.device_ids).not.toContain('dev_120');
});

test('a device listed in an unresolved incident is not reported again', async () => {
  for (let index = 0; index < 22; index += 1) await fail(10, `dev_${index}`);
  const [told] = await listAbout('signature_failures');
  clock.advance(10 * MINUTE_MS);
  for (let index = 0; index < 22; index += 1) await fail(10, `dev_${index}`);
  // Even though there is room for one more incident.
  await resolveAll('signature_failures:dev_0');
  clock.advance(10 * MINUTE_MS);
  await fail(10, 'dev_20');
  expect(await listAbout('signature_failures')).toEqual([told]);
  expect(await countIncidents()).toBe(21);
});

test('after the shared incident was resolved, new failures open another while 20 are unresolved', async () => {
  for (let index = 0; index < 21; index += 1) await fail(10, `dev_${index}`);
  await resolveAll('signature_failures');
  clock.advance(10 * MINUTE_MS);
  await fail(10, 'dev_20');
  expect(await listAbout('signature_failures')).toMatchObject([{ status: 'resolved' }, { status: 'open' }]);
  await resolveAll('signature_failures:dev_0');
  await fail(10, 'dev_new');
  expect(await listIncidents('dev_new')).toMatchObject([{ status: 'open' }]);
});

test('incidents of one tenant take no room from another', async () => {
  for (let index = 0; index < 20; index += 1) await fail(10, `dev_${index}`);
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'two', environment: 'test' } as const;
  tenantId = (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
  await fail(10);
  expect(await listIncidents()).toHaveLength(1);
});

test('monitoring incidents about other things take no room', async () => {
  await store.database.transaction(async (tx) => {
    for (let index = 0; index < 40; index += 1) {
      const correlationKey = index < 20 ? `a_${index}` : `whk_${index}`;
      await upsertMonitoringIncident(tx, tenantId, { correlationKey, message: 'broken', nowMs: clock.now() });
    }
  });
  await fail(10);
  expect(await listIncidents()).toHaveLength(1);
});
