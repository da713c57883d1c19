import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerTestDevice } from '@tps/testing/device';
import { startTestService } from '@tps/testing/service';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { TenantDeletion, TenantService } from '../../tenants/index.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyFeed } from './verify-feed.ts';
import { verifyStore } from './verify-store.ts';

const DAY_MS = 86_400_000;
const LOST = /^feed of tnt_\w+: no event is left, but the recorded end 3 arrived less than a day ago/;
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

/** A feed of three events, the last of which arrived at a time, and none of which is left. */
async function loseFeed(receivedAtMs: number, position = 3): Promise<void> {
  await store.database.transaction(async (tx) => {
    const head = await feedHeadStore.lock(tx, tenantId);
    await feedHeadStore.advance(tx, tenantId, { ...head, position, receivedAtMs });
  });
}

const problems = async () => (await verifyStore(store.url, clock)).problems;

test('a feed without events, of which the last arrived within a day, is lost; after a day it may be retention', async () => {
  await loseFeed(clock.now() - DAY_MS + 1);
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
  await loseFeed(clock.now() - DAY_MS);
  expect(await problems()).toEqual([]);
});

test('a tenant that never had an event has lost none', async () => {
  await loseFeed(clock.now(), 0);
  expect(await problems()).toEqual([]);
});

test('a tenant that is being deleted for good may have lost its feed already; during the time of grace it may not', async () => {
  await loseFeed(clock.now());
  const deletion = new TenantDeletion({ database: store.database, clock });
  await deletion.begin(tenantId, 0.5);
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
  clock.advance(0.5 * DAY_MS);
  expect(await problems()).toEqual([]);
});

test('what has no delete_after yet, as in a backup of an older version, is verified too', async () => {
  await loseFeed(clock.now());
  await store.database.transaction((tx) =>
    tx.db.schema.alterTable('tenants').dropColumn('delete_after').execute(),
  );
  expect(await problems()).toEqual([expect.stringMatching(LOST)]);
});

test('events that a service stored and somebody deleted are missed', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const device = await registerTestDevice(service);
  expect((await device.post(device.event())).status).toBe(201);
  const { database } = service.service;
  await database.transaction((tx) => tx.db.deleteFrom('events').execute());
  const { problem } = await verifyFeed(database.read, service.tenant.tenantId, systemClock);
  expect(problem).toMatch(/recorded end 1 arrived less/);
});

test.runIf(IS_SQLITE)('no backup is made of a lost feed, and the one before stays', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tps-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'tps.db');
  writeFileSync(file, 'the backup before');
  const report = () => {};
  await loseFeed(systemClock.now());
  await expect(makeBackup(store.url, { file, force: true, report })).rejects.toThrow(
    /no event is left, but the recorded end 3/,
  );
  expect(readFileSync(file, 'utf8')).toBe('the backup before');
});

test.runIf(IS_SQLITE)('a backup is restored by the clock of who restores it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tps-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'tps.db');
  const report = () => {};
  await loseFeed(clock.now());
  // By the clock of the machine, the feed ended long ago.
  await makeBackup(store.url, { file, force: false, report });
  const url = `sqlite:${join(directory, 'restored.db')}`;
  await expect(restoreBackup(url, { file, force: false, report, clock })).rejects.toThrow(/no event is left/);
});
