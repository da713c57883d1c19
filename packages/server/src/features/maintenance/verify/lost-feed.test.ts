import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerTestDevice } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { startTestService } from '@tps/testing/service';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { TenantDeletion } from '../../tenants/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { verifyFeed } from './verify-feed.ts';
import { verifyStore } from './verify-store.ts';

const DAY_MS = 86_400_000;
const LOST = /^feed of tnt_\w+: all events are missing, although event 3 arrived less than a day ago/;
const IS_SQLITE = process.env.TEST_STORE !== 'postgres';

const clock = new ManualClock();
let tenantId: TenantId;

const store = useTestDatabase({ scope: 'test' });

beforeEach(async () => {
  tenantId = await createTenant();
});

async function createTenant(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  return (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
}

/** Sets the feed head as if events up to a position had arrived, the last at a given time, and all were lost. */
async function loseFeed(receivedAtMs: number, position = 3): Promise<void> {
  await store.database.transaction(async (tx) => {
    const head = await feedHeadStore.lock(tx, tenantId);
    await feedHeadStore.advance(tx, tenantId, { ...head, position, receivedAtMs });
  });
}

/** Records in the audit log that retention has removed events. */
function recordPurge(events: number): Promise<void> {
  const record = {
    tenantId,
    actor: SERVICE,
    action: 'retention.run',
    resource: { type: 'data_class', id: 'events' },
    outcome: 'success',
    requestId: null,
    detail: `${events} rows removed`,
    fields: { data_class: 'events', cutoff: new Date(clock.now()).toISOString(), rows: { events } },
  } as const;
  return store.database.transaction((tx) => auditStore.append(tx, record, clock.now()));
}

const problems = async () => (await verifyStore(store.url, { clock })).problems;

test('an empty feed counts as lost if its last event arrived less than a day ago', async () => {
  await loseFeed(clock.now() - DAY_MS + 1);
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
  await loseFeed(clock.now() - DAY_MS);
  await recordPurge(3);
  expect(await problems()).toEqual([]);
});

test.each([0, 2])('a feed of 3 events is not sound if retention has removed %d of them', async (removed) => {
  await loseFeed(clock.now() - 2 * DAY_MS);
  if (removed > 0) await recordPurge(removed);
  const missing = `3 events are missing at its beginning, but retention has removed ${removed}`;
  expect(await problems()).toEqual([`feed of ${tenantId}: ${missing}`]);
});

test('a tenant that never had an event has no lost feed', async () => {
  await loseFeed(clock.now(), 0);
  expect(await problems()).toEqual([]);
});

test('an empty feed is accepted for a deleted tenant, but not during the grace period', async () => {
  await loseFeed(clock.now());
  const deletion = new TenantDeletion({ database: store.database, clock });
  await deletion.begin(tenantId, 0.5);
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
  clock.advance(0.5 * DAY_MS);
  expect(await problems()).toEqual([]);
});

test('a store of an older version without delete_after is verified too', async () => {
  await loseFeed(clock.now());
  await store.database.transaction((tx) =>
    tx.db.schema.alterTable('tenants').dropColumn('delete_after').execute(),
  );
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
});

test('events deleted from the store by hand are reported as missing', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const device = await registerTestDevice(service);
  expect((await device.post(device.event())).status).toBe(201);
  const { database } = service.service;
  await database.transaction((tx) => tx.db.deleteFrom('events').execute());
  const { problem } = await verifyFeed(database.read, service.tenant.tenantId, { clock: systemClock });
  expect(problem).toMatch(/event 1 arrived less/);
});

test.runIf(IS_SQLITE)('a lost feed is not backed up, and the previous backup is kept', async () => {
  const directory = newFolder();
  const file = join(directory, 'tps.db');
  writeFileSync(file, 'the previous backup');
  const report = () => {};
  await loseFeed(systemClock.now());
  await expect(makeBackup(store.url, { file, force: true, report })).rejects.toThrow(
    /all events are missing, although event 3/,
  );
  expect(readFileSync(file, 'utf8')).toBe('the previous backup');
});

test.runIf(IS_SQLITE)('a restore verifies the backup by its own clock', async () => {
  const directory = newFolder();
  const file = join(directory, 'tps.db');
  const report = () => {};
  await loseFeed(clock.now());
  await recordPurge(3);
  // By the clock of the machine, the feed ended long ago.
  await makeBackup(store.url, { file, force: false, report });
  const url = `sqlite:${join(directory, 'restored.db')}`;
  await expect(restoreBackup(url, { file, force: false, report, clock })).rejects.toThrow(
    /all events are missing/,
  );
});
