import { createHash } from 'node:crypto';
import type {
  AuditEntry,
  ErasedEvent,
  Event,
  Incident,
  Job,
  Notice,
  ScanResult,
  Threat,
} from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, startTestService, type TestService, WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore, dumpStore, dumpTables, holdsText } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { verifyStore } from '../maintenance/index.ts';
import { dataRequestsOf } from './testing/data-scene.ts';

const newReceiver = useReceivers();
const LINK = 'https://parcel-desk.example/pay?id=8812';
const NAMED = `url:sha256:${createHash('sha256').update(LINK).digest('hex')}`;
const SECRET = 'Zinnober-Kastanie';

/** A service on a store that stays after its stop. */
async function start(): Promise<TestService> {
  const store = await createTestStore();
  onTestFinished(store.drop);
  return startTestService({ store, env: WEBHOOK_ENV });
}

async function send(device: TestDevice, members: Partial<Event>): Promise<Event> {
  const event = device.event(members);
  const { status, text } = await device.post(event);
  expect(status, text).toBe(201);
  return event;
}

function caller(service: TestService, credential: string) {
  return async <Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Body> => {
    const answer = await service.client.send(method, path, { credential, ...(body && { body }) });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.body as Body;
  };
}

/** Fills a tenant with everything that can name a device: two devices, an incident, a triage, a scan, dead letters. */
async function populate(service: TestService) {
  const tenant = await service.createTenant();
  const call = caller(service, tenant.credential);
  const receiver = await newReceiver({ respond: { status: 404, body: 'refused' } });
  const webhook = await registerTestWebhook(service, { url: receiver.url, tenant });
  await call('POST', '/notice-channels', {
    name: 'Notices',
    kind: 'slack',
    url: (await newReceiver()).url,
    min_severity: 'low',
  });
  const subject = await registerTestDevice(service, { tenant });
  const other = await registerTestDevice(service, { tenant });
  const about = { indicators: [LINK], description: `${SECRET} wants a fee for ${LINK}` };
  const kept = await send(other, { indicators: ['sig:harmless-1'], description: 'Another message' });
  // In the threat of the harmless events, which stays.
  const mixed = await send(other, { ...about, indicators: ['sig:harmless-1', LINK] });
  const first = await send(subject, about);
  const shared = await send(other, about);
  const corrected = await send(subject, {
    corrects_event_id: first.event_id,
    action_taken: 'warn',
    ...about,
  });
  const last = await send(other, { indicators: ['sig:harmless-1'], description: 'A last message' });
  const { data: incidents } = await call<{ data: Incident[] }>(
    'GET',
    `/incidents?device_id=${subject.deviceId}`,
  );
  const [incident] = incidents;
  if (!incident) throw new Error('there is no incident');
  await call('PATCH', `/incidents/${incident.id}`, { comment: `Called about ${subject.deviceId}` });
  const job = await call<Job>('POST', '/jobs', {
    workflow_id: 'incident_triage_v1',
    input_refs: [incident.id],
  });
  await waitUntil(async () => (await call<Job>('GET', `/jobs/${job.job_id}`)).status === 'waiting_review');
  await call<ScanResult>('POST', '/scan', { type: 'url', content: LINK });
  await call('POST', '/views', {
    name: 'One device',
    page: 'events',
    query: `device_id=${subject.deviceId}`,
  });
  await waitUntil(async () => (await webhook.deadLetters()).length >= 5);
  await waitUntil(async () => {
    const { data } = await call<{ data: Notice[] }>('GET', '/notices');
    return data.length > 0 && data.every(({ state }) => state === 'sent');
  });
  return { tenant, call, subject, other, kept, mixed, first, shared, corrected, last, incident, webhook };
}

/** Repeats the notice about the incident in a digest, in words that do not name the subject. */
async function addDigest(
  { service: { database } }: TestService,
  { tenant: { tenantId }, incident }: Pick<Awaited<ReturnType<typeof populate>>, 'tenant' | 'incident'>,
) {
  await database.transaction(async ({ db }) => {
    const notices = db.selectFrom('notices').selectAll().where('resource_id', '=', incident.id);
    const notice = await notices.executeTakeFirstOrThrow();
    const digest = { notice_id: 'ntc_digest', cause: 'digest', cause_key: 'digest', resource_id: null };
    await db
      .insertInto('notices')
      .values({ ...notice, ...digest, message: 'One incident' })
      .execute();
    const told = db.updateTable('notices').set({ digest_id: digest.notice_id });
    await told.where('tenant_id', '=', tenantId).where('resource_id', '=', incident.id).execute();
  });
}

const feedOf = async (call: ReturnType<typeof caller>, cursor = '') =>
  call<{ data: Event[]; next_cursor: string }>('GET', `/events?limit=100${cursor}`);

test('nothing about a deleted device is left, except its id in the audit log', async () => {
  const service = await start();
  const scene = await populate(service);
  const { tenant, call, subject, other, kept, mixed, shared, last } = scene;
  const bystander = await populate(service);
  const { next_cursor: early } = await call<{ next_cursor: string }>('GET', '/events?limit=1');
  await addDigest(service, scene);
  const before = await dumpTables(service.service.database);
  const requests = dataRequestsOf(service, tenant);
  const about = { device_id: subject.deviceId };
  const copies = await requests.records(await requests.complete({ kind: 'export', subject: about }));
  const notices = copies.filter(({ kind }) => kind === 'notice');
  expect(notices).toMatchObject([{ record: { resource_id: scene.incident.id, cause: 'incident_opened' } }]);

  const done = await requests.complete({
    kind: 'deletion',
    subject: about,
    confirm: subject.deviceId,
  });
  expect(done).toMatchObject({ status: 'completed', subject: null, subject_type: 'device_id' });
  const counts = Object.fromEntries(done.records.map(({ kind, count }) => [kind, count]));
  expect(counts).toMatchObject({
    device: 1,
    event: 2,
    threat: 1,
    delivery: 2,
    notice: 2,
    job: 1,
    saved_view: 1,
  });

  const ids = (events: readonly Event[]) => events.map((event) => event.event_id);
  expect(ids((await feedOf(call)).data)).toEqual(ids([kept, mixed, shared, last]));
  const rest = await feedOf(call, `&cursor=${encodeURIComponent(early)}`);
  expect(ids(rest.data)).toEqual(ids([mixed, shared, last]));
  const later = await send(other, { indicators: ['sig:harmless-2'] });
  const next = await feedOf(call, `&cursor=${encodeURIComponent(rest.next_cursor)}`);
  expect(ids(next.data)).toEqual([later.event_id]);

  const erased = await requests.pages<ErasedEvent>(`/data-requests/${done.request_id}/erased-events`);
  expect(erased.map(({ position }) => position)).toEqual([3, 5]);
  const lines = erased.map(({ position, event_hash: hash }) => `${position} ${hash}\n`).join('');
  expect(done.proof).toBe(createHash('sha256').update(lines).digest('hex'));
  const { data: audit } = await call<{ data: AuditEntry[] }>('GET', '/audit?resource_type=data_request');
  expect(audit.map(({ action }) => action).slice(0, 3)).toEqual([
    'data_request.complete',
    'data_request.erase',
    'data_request.delete',
  ]);
  expect(audit[1]?.fields).toEqual({ positions: [3, 5] });
  expect(audit[0]?.fields).toMatchObject({ proof: done.proof });

  const after = await dumpTables(service.service.database);
  const holding = [...after].filter(([, rows]) => rows.some((row) => row.includes(subject.deviceId)));
  expect(holding.map(([table]) => table)).toEqual(['audit_entries']);
  const of = (tables: Map<string, string[]>) =>
    [...tables].map(([table, rows]) => [
      table,
      rows.filter((row) => row.includes(bystander.tenant.tenantId) && table !== 'tokens').sort(),
    ]);
  expect(of(after)).toEqual(of(before));
  await service.stop();
  expect((await verifyStore(service.store.url)).problems).toEqual([]);
});

test('nothing about a person known by a link is left, in the whole store', async () => {
  const service = await start();
  const { tenant, call, subject, other, kept, last, first, shared } = await populate(service);
  const requests = dataRequestsOf(service, tenant);
  const copies = (await feedOf(call)).data.filter(({ indicators }) => indicators?.includes(NAMED));
  const subjectHash = { indicator: LINK };
  await requests.complete({ kind: 'export', subject: subjectHash });

  const done = await requests.complete({ kind: 'deletion', subject: subjectHash, confirm: LINK });
  const counts = Object.fromEntries(done.records.map(({ kind, count }) => [kind, count]));
  expect(counts).toMatchObject({ event: 4, threat: 1, alert: 3, delivery: 4, job: 1, data_request: 1 });
  const { data } = await feedOf(call);
  expect(data.map(({ event_id: id }) => id)).toEqual([kept.event_id, last.event_id]);
  const { data: threats } = await call<{ data: Threat[] }>('GET', '/threats');
  expect(threats).toMatchObject([
    { device_id: other.deviceId, event_count: 2, indicators: ['sig:harmless-1'] },
  ]);

  for (const [device, event] of [
    [subject, first],
    [other, shared],
  ] as const) {
    expect((await device.post(event)).status).toBe(200);
    const changed = { ...event, description: 'Changed' };
    expect((await device.post(changed)).status).toBe(409);
  }
  expect((await feedOf(call)).data).toHaveLength(2);
  const erased = await requests.pages<ErasedEvent>(`/data-requests/${done.request_id}/erased-events`);
  const texts = new Set(erased.map((each) => each.event_hash));
  expect(copies).toHaveLength(4);
  expect(texts.size).toBe(4);

  await service.stop();
  const dump = await dumpStore(service.store);
  expect(holdsText(dump, 'A last message')).toBe(true);
  for (const text of [SECRET, NAMED, NAMED.slice('url:sha256:'.length)])
    expect(holdsText(dump, text), text).toBe(false);
  expect((await verifyStore(service.store.url)).problems).toEqual([]);
});
