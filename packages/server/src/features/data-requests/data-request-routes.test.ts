import type { DataRequest, NewDataRequest } from '@tps/contract';
import { DATA_REQUEST_LIMIT } from '@tps/contract/vocabulary';
import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as dataRequestStore from './data-request-store.ts';
import { dataRequestsOf } from './testing/data-scene.ts';
import { stepThrough, storeDeletion } from './testing/step-through.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

test.each<[string, NewDataRequest, RegExp]>([
  ['no subject', { kind: 'export', subject: {} }, /exactly one of device_id and indicator/],
  [
    'two subjects',
    { kind: 'export', subject: { device_id: 'dev_a', indicator: 'sig:a' } },
    /exactly one of device_id and indicator/,
  ],
  ['a phone number', { kind: 'export', subject: { indicator: '+49 151 12345678' } }, /is redacted/],
  ['an e-mail address', { kind: 'export', subject: { indicator: 'jane@example.com' } }, /is redacted/],
  ['no confirmation', { kind: 'deletion', subject: { device_id: 'dev_a' } }, /confirm must be/],
  [
    'another confirmation',
    { kind: 'deletion', subject: { device_id: 'dev_a' }, confirm: 'dev_b' },
    /confirm must be/,
  ],
])('a request with %s is rejected', async (_what, body, message) => {
  const { status, body: error } = await dataRequestsOf(service, service.tenant).create(body);
  expect(status).toBe(400);
  expect(error).toMatchObject({ error: { code: 'invalid_field', message: expect.stringMatching(message) } });
});

// Before the tests that wake the worker.
test('a tenant has at most ten requests in progress, without effect on other tenants', async () => {
  const tenant = await service.createTenant();
  const { database } = service.service;
  const subject = { type: 'device_id', value: 'dev_a' } as const;
  for (let at = 0; at < DATA_REQUEST_LIMIT; at += 1) await storeDeletion(database, tenant.tenantId, subject);
  const body = { kind: 'export', subject: { device_id: 'dev_a' } } as const;
  const refused = await dataRequestsOf(service, tenant).create(body);
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { code: 'data_request_limit_reached', message: expect.stringContaining('at most 10') } },
  });
  expect((await dataRequestsOf(service, await service.createTenant()).create(body)).status).toBe(202);
  // That one has woken the worker.
  await waitUntil(async () => (await dataRequestsOf(service, tenant).create(body)).status === 202);
});

test("a request of another tenant is not found, and that tenant's device keeps its data", async () => {
  const [one, two] = [await service.createTenant(), await service.createTenant()];
  const device = await registerTestDevice(service, { tenant: one });
  const timestamp = new Date(clock.now()).toISOString();
  expect((await device.post(device.event({ timestamp }))).status).toBe(201);
  const { deviceId } = device;
  const foreign = await dataRequestsOf(service, two).complete({
    kind: 'deletion',
    subject: { device_id: deviceId },
    confirm: deviceId,
  });
  expect(foreign.records).toEqual([]);
  for (const path of ['', '/records', '/erased-events']) {
    const answer = await service.client.send('GET', `/data-requests/${foreign.request_id}${path}`, {
      credential: one.credential,
    });
    expect(answer.status, path).toBe(404);
  }
  const { data } = await dataRequestsOf(service, one).read<{ data: unknown[] }>('/events');
  expect(data).toHaveLength(1);
});

test('the records of a deletion cannot be read, and its audit entries do not name the subject', async () => {
  const tenant = await service.createTenant();
  const requests = dataRequestsOf(service, tenant);
  const indicator = 'sig:private-7';
  const done = await requests.complete({ kind: 'deletion', subject: { indicator }, confirm: indicator });
  const { credential } = tenant;
  const answer = await service.client.send('GET', `/data-requests/${done.request_id}/records`, {
    credential,
  });
  expect(answer).toMatchObject({ status: 422, body: { error: { code: 'invalid_state_transition' } } });
  const audit = await service.client.send('GET', `/audit?resource_id=${done.request_id}`, { credential });
  expect((audit.body as { data: unknown[] }).data).toHaveLength(2);
  expect(audit.text).not.toContain(indicator);
  const { data } = await requests.read<{ data: DataRequest[] }>('/data-requests');
  expect(data).toEqual([done]);
});

test('an export has the records of the device and no secret, for seven days', async () => {
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const other = await registerTestDevice(service, { tenant });
  const timestamp = new Date(clock.now()).toISOString();
  const event = device.event({ indicators: ['sig:example-1'], timestamp });
  expect((await device.post(event)).status).toBe(201);
  expect((await other.post(other.event({ timestamp }))).status).toBe(201);
  const requests = dataRequestsOf(service, tenant);

  const request = await requests.complete({ kind: 'export', subject: { device_id: device.deviceId } });
  const records = await requests.records(request);
  const counts = new Map(request.records.map(({ kind, count }) => [kind, count]));
  for (const [kind, count] of counts)
    expect(records.filter((each) => each.kind === kind).length, kind).toBe(count);
  expect(records.find(({ kind }) => kind === 'event')?.record).toEqual(event);
  expect(records.find(({ kind }) => kind === 'device')?.record).toMatchObject({ platform: 'android' });
  expect([counts.get('event'), counts.get('alert'), counts.get('threat')]).toEqual([1, 1, 1]);
  const text = JSON.stringify(records);
  expect(text).not.toContain(other.deviceId);
  expect(text).not.toContain('token_hash');
  expect(request.expires_at).toBe(new Date(clock.now() + 7 * DAY_MS).toISOString());
  clock.advance(7 * DAY_MS);
  const late = await service.client.send('GET', `/data-requests/${request.request_id}/records`, {
    credential: tenant.credential,
  });
  expect(late).toMatchObject({ status: 422, body: { error: { code: 'invalid_state_transition' } } });
  // The next request wakes what ends exports.
  await requests.complete({ kind: 'export', subject: { indicator: 'sig:example-1' } });
  expect(await requests.read(`/data-requests/${request.request_id}`)).toMatchObject({
    status: 'expired',
    subject: null,
  });
});

test('an export that a deletion ends while it searches keeps nothing that names the subject', async () => {
  const { tenantId } = await service.createTenant();
  const { database } = service.service;
  const subject = { type: 'device_id', value: 'dev_private_9' } as const;
  const deletion = await storeDeletion(database, tenantId, subject);
  const requestId = 'drq_of_the_export';
  const progress = { ...deletion.progress, stage: 1, stageKey: [subject.value] };
  await database.transaction((tx) =>
    dataRequestStore.create(tx, { ...deletion, requestId, kind: 'export', progress }),
  );
  await stepThrough(database, deletion);
  const { rows } = await sql`select * from data_requests where request_id = ${requestId}`.execute(
    database.read.db as never,
  );
  expect(rows).toMatchObject([{ status: 'expired' }]);
  expect(JSON.stringify(rows)).not.toContain(subject.value);
});

test('a repeat with the same Idempotency-Key is the same deletion, also after it completed', async () => {
  const tenant = await service.createTenant();
  const requests = dataRequestsOf(service, tenant);
  const subject = { indicator: 'sig:private-8' };
  const body = { kind: 'deletion', subject, confirm: subject.indicator };
  const headers = { 'idempotency-key': 'one-deletion' };
  const { credential } = tenant;
  const create = (wanted: object) =>
    service.client.send('POST', '/data-requests', { credential, headers, body: wanted });
  const first = await create(body);
  expect(first).toMatchObject({ status: 202, body: { subject: subject.indicator } });
  const { request_id: requestId } = first.body as DataRequest;
  await waitUntil(async () => {
    const { status } = await requests.read<DataRequest>(`/data-requests/${requestId}`);
    return status === 'completed';
  });
  const repeated = await create(body);
  expect(repeated).toMatchObject({ status: 202, body: { request_id: requestId, subject: null } });
  expect(repeated.headers.get('location')).toBe(`/data-requests/${requestId}`);
  const other = await create({ kind: 'export', subject });
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
  const { data } = await requests.read<{ data: DataRequest[] }>('/data-requests');
  expect(data).toHaveLength(1);
});
