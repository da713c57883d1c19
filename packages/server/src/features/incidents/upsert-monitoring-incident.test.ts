import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { feedHeadStore } from '../feed/index.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import type { IncidentRecord } from './incident.ts';
import { describeIncidents } from './incident-details.ts';
import * as incidentStore from './incident-store.ts';
import { upsertMonitoringIncident } from './upsert-monitoring-incident.ts';

const clock = new ManualClock();
let tenantId: TenantId;

const store = useTestDatabase();

beforeEach(async () => {
  clock.advance(1000);
  tenantId = await createTenant();
});

async function createTenant(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  return (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
}

async function note(message: string, correlationKey = 'whk_one', deviceIds: string[] = []): Promise<void> {
  clock.advance(1);
  const members = deviceIds.map((memberId) => ({ kind: 'device' as const, memberId }));
  const finding = { correlationKey, message, members, nowMs: clock.now() };
  await store.database.transaction(async (tx) => {
    await feedHeadStore.lock(tx, tenantId);
    await upsertMonitoringIncident(tx, tenantId, finding);
  });
}

/** Oldest first. */
async function listIncidents(): Promise<IncidentRecord[]> {
  const keys = { correlationKeys: ['whk_one', 'whk_other'], fromMs: 0 };
  const found = await incidentStore.findAbout(store.database.read, tenantId, keys);
  return found.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

async function readTimeline(incidentId: string): Promise<string[]> {
  const rows = await store.database.read.db
    .selectFrom('incident_timeline')
    .select(['kind', 'actor', 'message'])
    .where('incident_id', '=', incidentId)
    .orderBy('entry_id')
    .execute();
  return rows.map(({ kind, actor, message }) => `${kind} by ${actor}: ${message}`);
}

async function save(incident: IncidentRecord): Promise<void> {
  await store.database.transaction((tx) => incidentStore.saveMany(tx, tenantId, [incident]));
}

test('a finding opens an unassigned incident of high severity', async () => {
  await note('broken');
  const [incident, ...more] = await listIncidents();
  expect(more).toEqual([]);
  expect(incident).toEqual({
    incidentId: expect.stringMatching(/^inc_/),
    category: 'monitoring',
    correlationKey: 'whk_one',
    severity: 'high',
    status: 'open',
    message: 'broken',
    resolution: null,
    assignee: null,
    tags: [],
    version: 1,
    createdAtMs: clock.now(),
    updatedAtMs: clock.now(),
    lastEventAtMs: clock.now(),
    acknowledgedAtMs: null,
    resolvedAtMs: null,
    firstResolvedAtMs: null,
  });
  expect(await readTimeline(incident?.incidentId ?? '')).toEqual(['opened by service: broken']);
});

test('the same finding again changes nothing', async () => {
  await note('broken');
  const before = await listIncidents();
  await note('broken');
  expect(await listIncidents()).toEqual(before);
  expect(await readTimeline(before[0]?.incidentId ?? '')).toHaveLength(1);
});

test.each(['open', 'in_progress', 'on_hold'] as const)(
  'another finding with the same key updates its %s incident',
  async (status) => {
    await note('broken');
    const [opened] = (await listIncidents()) as [IncidentRecord];
    const touched: IncidentRecord = { ...opened, status, assignee: 'ann', tags: ['seen'] };
    await save(touched);
    await note('worse');
    const now = { updatedAtMs: clock.now(), lastEventAtMs: clock.now() };
    expect(await listIncidents()).toEqual([{ ...touched, ...now, message: 'worse', version: 2 }]);
    expect(await readTimeline(opened.incidentId)).toEqual([
      'opened by service: broken',
      'changed by service: worse',
    ]);
  },
);

test.each(['resolved', 'closed'] as const)(
  'a finding after the incident was %s opens another',
  async (status) => {
    await note('broken');
    const [opened] = (await listIncidents()) as [IncidentRecord];
    const over: IncidentRecord = { ...opened, status, resolution: 'true_positive' };
    await save(over);
    await note('broken');
    const incidents = await listIncidents();
    expect(incidents).toHaveLength(2);
    expect(incidents[0]).toEqual(over);
    expect(incidents[1]).toMatchObject({ status: 'open', message: 'broken', version: 1 });
  },
);

test('findings with other keys, or of other tenants, have their own incidents', async () => {
  await note('broken');
  await note('broken', 'whk_other');
  expect(await listIncidents()).toHaveLength(2);
  tenantId = await createTenant();
  expect(await listIncidents()).toEqual([]);
  await note('broken');
  expect(await listIncidents()).toHaveLength(1);
});

test('an incident of another category with the same key is left alone', async () => {
  await note('broken');
  const [opened] = (await listIncidents()) as [IncidentRecord];
  const campaign: IncidentRecord = { ...opened, category: 'campaign' };
  await save(campaign);
  await note('worse');
  const incidents = await listIncidents();
  expect(incidents).toHaveLength(2);
  expect(incidents).toContainEqual(campaign);
});

test('the incident lists the members of a finding, and those that later findings add', async () => {
  await note('one', 'whk_one', ['dev_a']);
  await note('more', 'whk_one', ['dev_b', 'dev_a']);
  await note('nothing new about devices');
  const incidents = await listIncidents();
  const [described, ...more] = await describeIncidents(store.database.read, tenantId, incidents);
  expect(more).toEqual([]);
  expect(described?.device_ids.toSorted()).toEqual(['dev_a', 'dev_b']);
});
