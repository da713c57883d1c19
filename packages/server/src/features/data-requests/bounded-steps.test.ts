import type { Incident } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../database/tables/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { advanceRequest } from './advance-request.ts';
import * as dataRequestStore from './data-request-store.ts';
import { RECORD_SOURCES } from './record-source.ts';
import { matcherOf } from './subject.ts';
import { searchWindow } from './subject-rows-store.ts';
import { stepThrough, storeDeletion } from './testing/step-through.ts';

const service = useTestService();

async function count(table: keyof Tables & string, where: RawBuilder<unknown>): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from ${sql.table(table)} where ${where}`;
  const { rows } = await query.execute(service.service.database.read.db as never);
  return Number(rows[0]?.total);
}

/** Adds 2,500 devices, 2,500 comments and 25 jobs to an incident. */
async function enlarge(tenantId: string, incidentId: string): Promise<void> {
  const id = (prefix: string, at: number) => `${prefix}_${String(at).padStart(6, '0')}`;
  const many = Array.from({ length: 2_500 }, (_, at) => at);
  const of = { tenant_id: tenantId, incident_id: incidentId };
  const entry = { ...of, at: 1, kind: 'changed', actor: 'acc_one', comment: null, message: 'Looked at it' };
  const job = { tenant_id: tenantId, workflow_id: 'incident_triage_v1', status: 'completed', trace_id: '' };
  const counts = { max_runs: 3, run_count: 1, version: 1, claims: 0, fruitless_claims: 0 };
  const none = {
    next_step: null,
    review: null,
    reviewed_by: null,
    error_code: null,
    subject_id: null,
    due_at: null,
  };
  const jobs = many.slice(0, 25).map((at) => ({
    ...job,
    ...counts,
    ...none,
    job_id: id('job', at),
    input_refs: '[]',
    artifact_refs: '[]',
    created_at: 1,
    created_by: 'test',
    updated_at: 1,
    leased_by: null,
  }));
  await service.service.database.transaction(async (tx) => {
    await tx.insertMany(
      'incident_members',
      many.map((at) => ({ ...of, kind: 'device', member_id: id('dev', at) })),
    );
    await tx.insertMany(
      'incident_timeline',
      many.map((at) => ({ ...entry, entry_id: id('itl', at) })),
    );
    await tx.insertMany('jobs', jobs);
    await tx.insertMany(
      'job_inputs',
      jobs.map(({ job_id }) => ({ tenant_id: tenantId, job_id, input_ref: incidentId })),
    );
  });
}

test('a huge incident is deleted in slices, and after the first no one sees it', async () => {
  const device = await registerTestDevice(service, { tenant: await service.createTenant() });
  const { tenantId, credential } = device.tenant;
  expect((await device.post(device.event({ severity: 'high' }))).status).toBe(201);
  const list = await service.client.send('GET', `/incidents?device_id=${device.deviceId}`, { credential });
  const [incident] = (list.body as { data: Incident[] }).data;
  if (!incident) throw new Error('there is no incident');
  await enlarge(tenantId, incident.id);
  const ofIncident = sql`tenant_id = ${tenantId} and incident_id = ${incident.id}`;
  const sizes = async () => [
    await count('incident_members', ofIncident),
    await count('incident_timeline', ofIncident),
    await count('jobs', sql`tenant_id = ${tenantId}`),
  ];
  const whole = await sizes();
  let before = whole;
  const { database } = service.service;
  const subject = { type: 'device_id', value: device.deviceId } as const;
  const request = await storeDeletion(database, tenantId, subject);
  let partial = 0;
  const done = await stepThrough(database, request, async () => {
    const now = await sizes();
    const [members = 0, entries = 0, jobs = 0] = now.map((size, at) => (before[at] ?? 0) - size);
    // Besides the slice: the alert, the threat and the device.
    expect(Math.max(members - 3, entries)).toBeLessThanOrEqual(1_000);
    expect(jobs).toBeLessThanOrEqual(10);
    before = now;
    const { status } = await service.client.send('GET', `/incidents/${incident.id}`, { credential });
    if (now.some((size) => size > 0) && now.some((size, at) => size !== whole[at])) {
      partial += 1;
      expect(status).toBe(404);
    }
  });
  expect(partial).toBeGreaterThanOrEqual(2);
  expect(await sizes()).toEqual([0, 0, 0]);
  expect(done.counts).toMatchObject({ incident: 1, timeline_entry: 2_501, incident_member: 2_503, job: 25 });
  expect(done.progress.leftovers).toEqual({ incidentIds: [], inputRefs: [] });
});

test('an event with many corrections goes in slices, and its last correction with it', async () => {
  const device = await registerTestDevice(service, { tenant: await service.createTenant() });
  const { tenantId } = device.tenant;
  const first = device.event({ severity: 'high' });
  expect((await device.post(first)).status).toBe(201);
  const correction = device.event({ corrects_event_id: first.event_id, action_taken: 'warn' });
  expect((await device.post(correction)).status).toBe(201);
  // Copies, because the service takes long to derive so many.
  await service.service.database.transaction(async (tx) => {
    const stored = tx.db.selectFrom('events').selectAll().where('event_id', '=', correction.event_id);
    const row = await stored.where('tenant_id', '=', tenantId).executeTakeFirstOrThrow();
    const copies = Array.from({ length: 449 }, (_, at) => at + 3);
    await tx.insertMany(
      'events',
      copies.map((position) => ({ ...row, position, event_id: `evt_copy_${position}` })),
    );
  });
  const sizes = async () => ({
    all: await count('events', sql`tenant_id = ${tenantId}`),
    first: await count('events', sql`tenant_id = ${tenantId} and event_id = ${first.event_id}`),
    last: await count('events', sql`tenant_id = ${tenantId} and event_id = 'evt_copy_451'`),
  });
  const { database } = service.service;
  const subject = { type: 'device_id', value: device.deviceId } as const;
  const request = await storeDeletion(database, tenantId, subject);
  let before = await sizes();
  const done = await stepThrough(database, request, async () => {
    const now = await sizes();
    expect(before.all - now.all).toBeLessThanOrEqual(250);
    expect(now.first).toBe(now.last);
    before = now;
  });
  expect(done.counts).toMatchObject({ event: 451 });
  expect(before.all).toBe(0);
});

test.each(['artifacts', 'trace_steps', 'scans', 'idempotency_keys'])(
  'a window of %s has 20 rows, because they can be long',
  async (table) => {
    const source = RECORD_SOURCES.find((each) => each.table === table);
    if (!source) throw new Error(`${table} is not searched`);
    const { tenantId } = await service.createTenant();
    const { database } = service.service;
    const columns: Record<string, Record<string, unknown>> = {
      artifacts: {
        ...{ job_id: 'job', trace_id: 'trc', step_id: 'stp', kind: 'report', media_type: 'text/plain' },
        ...{ size_bytes: 1, sha256: '', created_at: 1, content: 'text' },
      },
      trace_steps: {
        ...{ trace_id: 'trc', job_id: 'job', run: 1, step_type: 'a', status: 'completed', error_code: null },
        ...{ guardrail_result: 'passed', started_at: null, finished_at: null, output: null },
      },
      scans: { created_at: 1, result: '{}' },
      idempotency_keys: {
        ...{ token_id: 'tok', operation_id: 'scan', request_hash: new Uint8Array(32), status: 200 },
        ...{ answer: '{}', location: null, created_at: 1 },
      },
    };
    const id = source.key.at(-1) ?? '';
    const keys = Array.from({ length: 50 }, (_, at) => `key_${at + 10}`);
    await database.transaction((tx) =>
      tx.insertMany(
        table as 'scans',
        keys.map((key) => ({ tenant_id: tenantId, ...columns[table], [id]: key })) as never,
      ),
    );
    const matcher = matcherOf({ type: 'device_id', value: 'dev_absent' });
    const search = { source, matcher, after: undefined, untilPosition: 0, limit: 50 };
    const { until } = await searchWindow(database.read, tenantId, search);
    expect(until?.at(-1)).toBe(keys[19]);
  },
);

test('a step of a tenant that is being deleted does not create its feed again', async () => {
  const { tenantId } = await service.createTenant();
  const { database } = service.service;
  const request = await storeDeletion(database, tenantId, { type: 'device_id', value: 'dev_gone' });
  await database.transaction(async (tx) => {
    await tx.insertMany('scans', [
      { tenant_id: tenantId, scan_id: 'scn_1', created_at: 1, result: '{"device_id":"dev_gone"}' },
    ]);
    await tx.db.deleteFrom('feed_heads').where('tenant_id', '=', tenantId).execute();
  });
  const work = { database, clock: systemClock, signal: new AbortController().signal };
  const stage = RECORD_SOURCES.findIndex(({ table }) => table === 'scans');
  const atScans = { ...request, progress: { ...request.progress, stage } };
  await database.transaction((tx) => dataRequestStore.save(tx, atScans));
  expect(await advanceRequest(work, atScans)).toBe(true);
  await database.transaction(({ db }) =>
    db.deleteFrom('data_requests').where('tenant_id', '=', tenantId).execute(),
  );
  expect(await advanceRequest(work, atScans)).toBe(true);
  expect(await count('feed_heads', sql`tenant_id = ${tenantId}`)).toBe(0);
});
