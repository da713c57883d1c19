import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { describeIncidents, incidentStore } from '../../incidents/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import * as deviceStore from '../device-store.ts';
import { detectSilentDevices, recordUptime } from './detect-silent-devices.ts';
import { SilenceWatch } from './silence-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SILENT_HOURS = 24;

const clock = new ManualClock();
let tenantId: TenantId;

const store = useTestDatabase();

beforeEach(async () => {
  // All devices of tenants of earlier tests are silent from here on.
  clock.advance(1000 * HOUR_MS);
  tenantId = await createTenant();
});

async function createTenant(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  return (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
}

async function register(...deviceIds: string[]): Promise<void> {
  await store.database.transaction(async (tx) => {
    for (const deviceId of deviceIds) {
      await deviceStore.create(tx, {
        tenantId,
        deviceId,
        platform: 'android',
        status: 'active',
        publicKey: new Uint8Array(4),
        agentVersion: null,
        name: null,
        registeredAtMs: clock.now(),
        revokedAtMs: null,
        version: 1,
        lastSeenAtMs: null,
      });
    }
  });
}

async function hear(...deviceIds: string[]): Promise<void> {
  const states = deviceIds.map((deviceId) => ({
    deviceId,
    lastSeenAtMs: clock.now(),
    sequence: null,
    eventHash: null,
    lastEventAtMs: null,
  }));
  await store.database.transaction((tx) => deviceStore.saveStates(tx, tenantId, states));
}

/** Lets time pass while only these devices report, then scans for silent ones. */
async function pass(hours: number, ...heard: string[]): Promise<void> {
  await beThere(hours * HOUR_MS);
  await hear(...heard);
  await look();
}

/** Lets time pass while the service runs. */
async function beThere(ms: number): Promise<void> {
  const untilMs = clock.now() + ms;
  await recordUptime(store.database, clock.now());
  while (clock.now() < untilMs) {
    clock.advance(Math.min(30 * MINUTE_MS, untilMs - clock.now()));
    await recordUptime(store.database, clock.now());
  }
}

/** As after an outage, or with a store from a backup: no device reported, and no scan ran. */
function beAway(ms: number): void {
  clock.advance(ms);
}

function look(database: Database = store.database, signal?: AbortSignal): Promise<void> {
  return detectSilentDevices({ database, clock, silentHours: SILENT_HOURS, signal });
}

/** Another node's connection to the store; an SQLite store has one process, and here all share its connection. */
async function openNode(): Promise<Database> {
  if (store.database.engine === 'sqlite') return store.database;
  const database = await openDatabase(store.url);
  onTestFinished(() => database.close());
  return database;
}

/** Oldest first. */
async function listIncidents(of = tenantId) {
  const { read } = store.database;
  const found = await incidentStore.findAbout(read, of, { correlationKeys: ['silent_devices'], fromMs: 0 });
  found.sort((a, b) => a.createdAtMs - b.createdAtMs);
  const described = await describeIncidents(read, of, found);
  return described.map((incident) => ({
    category: incident.category,
    status: incident.status,
    message: incident.message,
    devices: incident.device_ids.toSorted(),
    timeline: incident.timeline.map(({ kind, actor, message }) => `${kind} by ${actor}: ${message}`),
  }));
}

async function resolveAll(): Promise<void> {
  const { read } = store.database;
  const keys = { correlationKeys: ['silent_devices'], fromMs: 0 };
  const found = await incidentStore.findAbout(read, tenantId, keys);
  const resolved = found.map((incident) => ({
    ...incident,
    status: 'resolved' as const,
    resolution: 'true_positive' as const,
  }));
  await store.database.transaction((tx) => incidentStore.saveMany(tx, tenantId, resolved));
}

test('a device silent long enough while another reports opens an incident with the time', async () => {
  await register('dev_a', 'dev_b');
  await hear('dev_a', 'dev_b');
  const since = new Date(clock.now()).toISOString();
  await pass(23, 'dev_b');
  expect(await listIncidents()).toEqual([]);
  await pass(1, 'dev_b');
  const message = `1 device has not reported for 24 h while others have: dev_a (since ${since})`;
  expect(await listIncidents()).toEqual([
    {
      category: 'monitoring',
      status: 'open',
      message,
      devices: ['dev_a'],
      timeline: [`opened by service: ${message}`],
    },
  ]);
});

test('a device that never reported is silent since its registration', async () => {
  await register('dev_never', 'dev_b');
  await pass(24, 'dev_b');
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_never'] }]);
});

test('while no device reports, no incident is opened', async () => {
  await register('dev_a', 'dev_b');
  await hear('dev_a', 'dev_b');
  await pass(100);
  expect(await listIncidents()).toEqual([]);
  await hear('dev_b');
  await beThere(HOUR_MS);
  await look();
  expect(await listIncidents()).toEqual([]);
  await pass(0, 'dev_b');
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'] }]);
});

test('a revoked device is never silent, and its contacts do not count', async () => {
  await register('dev_gone', 'dev_silent');
  await hear('dev_gone', 'dev_silent');
  const device = await deviceStore.find(store.database.read, tenantId, 'dev_gone');
  if (!device) throw new Error('the device is not there');
  await store.database.transaction((tx) => deviceStore.update(tx, { ...device, status: 'revoked' }));
  await pass(24, 'dev_gone');
  expect(await listIncidents()).toEqual([]);
  await register('dev_new');
  await look();
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_silent'] }]);
});

test('a silence is reported once, and devices that fall silent later join the incident', async () => {
  await register('dev_a', 'dev_b', 'dev_c');
  await hear('dev_a', 'dev_b', 'dev_c');
  await pass(24, 'dev_b', 'dev_c');
  const told = await listIncidents();
  await pass(1, 'dev_c');
  await pass(1, 'dev_c');
  expect(await listIncidents()).toEqual(told);
  await pass(22, 'dev_c');
  const [incident, ...more] = await listIncidents();
  expect(more).toEqual([]);
  expect(incident?.devices).toEqual(['dev_a', 'dev_b']);
  expect(incident?.message).toMatch(/^1 device has .*: dev_b \(since [^)]+\)$/);
  expect(incident?.timeline).toEqual([
    expect.stringMatching(/^opened by service: .*dev_a/),
    expect.stringMatching(/^changed by service: .*dev_b/),
  ]);
});

test('after its incident was resolved, a device is reported again only after a contact', async () => {
  await register('dev_a', 'dev_b', 'dev_c');
  await hear('dev_a', 'dev_b', 'dev_c');
  await pass(24, 'dev_c');
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a', 'dev_b'] }]);
  await resolveAll();
  await pass(48, 'dev_c');
  expect(await listIncidents()).toHaveLength(1);

  await pass(0, 'dev_a', 'dev_c');
  await pass(24, 'dev_c');
  expect(await listIncidents()).toMatchObject([
    { status: 'resolved', devices: ['dev_a', 'dev_b'] },
    { status: 'open', devices: ['dev_a'] },
  ]);
});

test('once retention has purged its incident, a device still silent is reported again', async () => {
  await register('dev_a', 'dev_b');
  await pass(24, 'dev_b');
  await resolveAll();
  await pass(1, 'dev_b');
  expect(await listIncidents()).toMatchObject([{ status: 'resolved' }]);
  await store.database.transaction(async (tx) => {
    for (const table of ['incident_members', 'incidents'] as const) {
      await tx.db.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
    }
  });
  await pass(1, 'dev_b');
  expect(await listIncidents()).toMatchObject([{ status: 'open', devices: ['dev_a'] }]);
});

test('a device that reported and fell silent again is reported again, even if others joined', async () => {
  await register('dev_a', 'dev_b', 'dev_c');
  await hear('dev_a', 'dev_b', 'dev_c');
  await pass(24, 'dev_b', 'dev_c');
  await pass(10, 'dev_a', 'dev_c');
  // dev_b joins after dev_a has reported.
  await pass(14, 'dev_c');
  await pass(10, 'dev_c');
  const [incident] = await listIncidents();
  expect(incident?.timeline.map((entry) => /dev_./.exec(entry)?.[0])).toEqual(['dev_a', 'dev_b', 'dev_a']);
});

test('another tenant is not affected, and its active devices do not count', async () => {
  await register('dev_a');
  const mine = tenantId;
  tenantId = await createTenant();
  await register('dev_other');
  await pass(24, 'dev_other');
  expect(await listIncidents(mine)).toEqual([]);
  expect(await listIncidents()).toEqual([]);
  const other = tenantId;
  tenantId = mine;
  await register('dev_new');
  await look();
  expect(await listIncidents(mine)).toMatchObject([{ devices: ['dev_a'] }]);
  expect(await listIncidents(other)).toEqual([]);
});

test('1000 devices that fall silent together join one incident, 500 a round', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `dev_${String(index).padStart(60, '0')}`);
  await register(...ids, 'dev_active');
  await pass(24, 'dev_active');
  const countMembers = async () => {
    const query = store.database.read.db.selectFrom('incident_members').select('member_id');
    return (await query.where('tenant_id', '=', tenantId).execute()).length;
  };
  expect(await countMembers()).toBe(500);
  await look();
  expect(await countMembers()).toBe(1000);
  await look();
  const [incident, ...more] = await listIncidents();
  expect(more).toEqual([]);
  expect(incident?.timeline).toHaveLength(2);
  expect(incident?.message).toMatch(/^500 devices have not .* and 495 more$/);
  expect(incident?.message.length).toBeLessThan(1000);
});

test('two nodes that scan at the same time report once', async () => {
  await register('dev_a', 'dev_b');
  await beThere(24 * HOUR_MS);
  await hear('dev_b');
  const node = await openNode();
  await Promise.all([look(), look(node), look(), look(node)]);
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'], timeline: [expect.any(String)] }]);
});

test('the watch scans every ten minutes, however often it is called', async () => {
  const watch = new SilenceWatch({ database: store.database, clock, silentHours: SILENT_HOURS });
  await register('dev_a', 'dev_b');
  await beThere(24 * HOUR_MS - MINUTE_MS);
  await hear('dev_b');
  await watch.checkIfDue();
  for (let minute = 1; minute <= 9; minute += 1) {
    clock.advance(MINUTE_MS);
    await watch.checkIfDue();
  }
  expect(await listIncidents()).toEqual([]);
  clock.advance(MINUTE_MS);
  await watch.checkIfDue();
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'] }]);
});

test.each([26, 2000])(
  'after %d hours of downtime, the first device that is back makes no other silent',
  async (hours) => {
    await register('dev_a', 'dev_b', 'dev_c');
    await beThere(HOUR_MS);
    await hear('dev_a', 'dev_b', 'dev_c');
    beAway(hours * HOUR_MS);
    await hear('dev_b');
    await look();
    await pass(23, 'dev_b');
    expect(await listIncidents()).toEqual([]);
    await hear('dev_c');
    await pass(1, 'dev_b');
    expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'] }]);
  },
);

test('a restart within half an hour does not extend the silence; a longer one does', async () => {
  await register('dev_a', 'dev_b');
  await pass(12, 'dev_b');
  beAway(30 * MINUTE_MS);
  await pass(11.5, 'dev_b');
  expect(await listIncidents()).toHaveLength(1);

  tenantId = await createTenant();
  await register('dev_a', 'dev_b');
  await pass(12, 'dev_b');
  beAway(31 * MINUTE_MS);
  await pass(23, 'dev_b');
  expect(await listIncidents()).toEqual([]);
  await pass(1, 'dev_b');
  expect(await listIncidents()).toHaveLength(1);
});

test('devices are reported even after a clock that was ahead is corrected', async () => {
  await register('dev_a', 'dev_b');
  beAway(1000 * HOUR_MS);
  await look();
  clock.advance(-1000 * HOUR_MS);
  await look();
  await pass(24, 'dev_b');
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'] }]);
});

test('a scan of one node counts for all', async () => {
  const node = await openNode();
  await register('dev_a', 'dev_b');
  for (let halfHours = 0; halfHours < 48; halfHours += 1) {
    await look(halfHours % 2 === 0 ? node : store.database);
    clock.advance(30 * MINUTE_MS);
  }
  await hear('dev_b');
  await look();
  expect(await listIncidents()).toMatchObject([{ devices: ['dev_a'] }]);
});

test('a scan yields to other work for every tenant and every thousand devices', async () => {
  await register(...Array.from({ length: 2500 }, (_, index) => `dev_${index}`));
  for (let count = 0; count < 20; count += 1) await createTenant();
  let turns = 0;
  const watched = new AbortController();
  const count = () => {
    turns += 1;
    if (!watched.signal.aborted) setImmediate(count);
  };
  setImmediate(count);
  await look();
  watched.abort();
  expect(turns).toBeGreaterThan(23);
});

test('an aborted scan reads no further tenant and fails', async () => {
  const mine = tenantId;
  await register('dev_a', 'dev_b');
  await beThere(24 * HOUR_MS);
  await hear('dev_b');
  const ended = new AbortController();
  const watch = new SilenceWatch({ database: store.database, clock, silentHours: SILENT_HOURS });
  const looking = watch.checkIfDue(ended.signal);
  ended.abort(new Error('the service stops'));
  await expect(looking).rejects.toThrow('the service stops');
  expect(await listIncidents(mine)).toEqual([]);
  await look();
  expect(await listIncidents(mine)).toHaveLength(1);
});
