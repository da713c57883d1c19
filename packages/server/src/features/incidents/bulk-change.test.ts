import { BULK_LIMIT, type Incident, type IncidentStatus, SCOPES } from '@tps/contract';
import { codeOf, registerTestDevice, type TestDevice } from '@tps/testing/device';
import { listAudit, type TestTenant, useTestService } from '@tps/testing/service';
import { beforeEach, expect, test } from 'vitest';

interface Answer {
  readonly results: readonly {
    readonly id: string;
    readonly status: number;
    readonly error?: { readonly code: string };
    readonly version?: number;
    readonly previous?: object;
  }[];
  readonly next_cursor: string | null;
}

let tenant: TestTenant;
let device: TestDevice;

const service = useTestService();

beforeEach(async () => {
  tenant = await service.createTenant();
  device = await registerTestDevice(service, { tenant });
});

const CATEGORIES = ['phishing', 'deepfake', 'malicious_app', 'phone_scam'] as const;

/** Opens so many incidents and returns their ids, newest first. */
async function openIncidents(count: number): Promise<string[]> {
  for (const threat_category of CATEGORIES.slice(0, count))
    await device.post(device.event({ threat_category }));
  return (await list()).map(({ id }) => id);
}

async function list(query = ''): Promise<Incident[]> {
  const { credential } = tenant;
  const answer = await service.client.send('GET', `/incidents${query}`, { credential });
  return (answer.body as { data: Incident[] }).data;
}

const send = (body: object, credential = tenant.credential) =>
  service.client.send('POST', '/incidents/bulk', { credential, body });

async function change(body: object): Promise<Answer> {
  const answer = await send(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Answer;
}

const patch = (id: string, body: object) =>
  service.client.send('PATCH', `/incidents/${id}`, { credential: tenant.credential, body });

const statuses = async () => (await list()).map(({ status }) => status);

test('changes each incident like PATCH, with its timeline entry and its audit entry', async () => {
  const ids = await openIncidents(2);
  const { results } = await change({
    ids,
    change: { status: 'resolved', resolution: 'true_positive', comment: 'seen' },
  });
  expect(results).toEqual(
    ids.map((id) => ({ id, status: 200, version: 2, previous: { status: 'open', resolution: null } })),
  );
  for (const incident of await list()) {
    expect(incident).toMatchObject({ status: 'resolved', resolution: 'true_positive', version: 2 });
    expect(incident.timeline.at(-1)).toMatchObject({ kind: 'changed', comment: 'seen' });
    expect(await listAudit(service, incident.id)).toEqual(['incident.update success']);
  }
  const alerts = await service.client.send('GET', '/alerts?status=open', { credential: tenant.credential });
  expect(alerts.body).toMatchObject({ data: [] });
});

test('an incident that is refused has its error, and the others are changed', async () => {
  const [first = '', second = '', third = ''] = await openIncidents(3);
  await patch(second, { status: 'closed', resolution: 'test' });
  const other = await registerTestDevice(service, { tenant: await service.createTenant() });
  await other.post(other.event());
  const foreign = (
    (await service.client.send('GET', '/incidents', { credential: other.tenant.credential })).body as {
      data: Incident[];
    }
  ).data[0]?.id as string;

  const { results } = await change({
    ids: [first, second, foreign, third],
    change: { status: 'in_progress' },
  });
  expect(results.map(({ id, status, error }) => [id, status, error?.code])).toEqual([
    [first, 200, undefined],
    [second, 422, 'invalid_state_transition'],
    [foreign, 404, 'not_found'],
    [third, 200, undefined],
  ]);
  expect(await statuses()).toEqual(['in_progress', 'closed', 'in_progress']);
});

test('what is as requested already has no previous values', async () => {
  const ids = await openIncidents(1);
  expect((await change({ ids, change: { status: 'open' } })).results).toEqual([
    { id: ids[0], status: 200, version: 1 },
  ]);
});

test('a filter reaches every matching incident, and none that arrives meanwhile', async () => {
  const ids = await openIncidents(3);
  await patch(ids[1] ?? '', { severity: 'low' });
  const body = {
    filter: { severity: 'high,critical', status: '!closed', assignee: 'none' },
    change: { status: 'on_hold' },
    limit: 1,
  };
  const first = await change(body);
  expect(first.results.map(({ id }) => id)).toEqual([ids[0]]);
  await device.post(device.event({ threat_category: 'phone_scam' }));
  const second = await change({ ...body, cursor: first.next_cursor });
  expect(second.results.map(({ id }) => id)).toEqual([ids[2]]);
  expect(second.next_cursor).toBeNull();
  expect(await statuses()).toEqual<IncidentStatus[]>(['open', 'on_hold', 'open', 'on_hold']);
});

test('an empty filter reaches all incidents of this tenant only', async () => {
  await openIncidents(2);
  const other = await registerTestDevice(service, { tenant: await service.createTenant() });
  await other.post(other.event());
  expect((await change({ filter: {}, change: { tags: ['all'] } })).results).toHaveLength(2);
  const theirs = await service.client.send('GET', '/incidents', { credential: other.tenant.credential });
  expect((theirs.body as { data: Incident[] }).data.map(({ tags }) => tags)).toEqual([[]]);
});

test('a change is undone with its previous values, except where another person has changed more', async () => {
  const ids = await openIncidents(2);
  const { results } = await change({
    ids,
    change: { status: 'in_progress', assignee: 'Kim', add_tags: ['a'] },
  });
  await patch(ids[1] ?? '', { assignee: 'Lee' });
  const [previous] = results.map((result) => result.previous);
  expect(previous).toEqual({ status: 'open', assignee: null, tags: [] });
  const undone = await change({
    ids,
    versions: results.map(({ version }) => version),
    change: { ...previous },
  });
  expect(undone.results.map(({ status, error }) => [status, error?.code])).toEqual([
    [200, undefined],
    [412, 'version_mismatch'],
  ]);
  expect(await list()).toMatchObject([
    { status: 'open', assignee: null, tags: [] },
    { status: 'in_progress', assignee: 'Lee', tags: ['a'] },
  ]);
});

test('tags are added and removed without replacing the others', async () => {
  const ids = await openIncidents(2);
  await patch(ids[0] ?? '', { tags: ['a', 'b'] });
  await change({ ids, change: { add_tags: ['b', 'c'], remove_tags: ['a'] } });
  expect((await list()).map(({ tags }) => tags)).toEqual([
    ['b', 'c'],
    ['b', 'c'],
  ]);
  const many = Array.from({ length: 49 }, (_, index) => `t${index}`);
  const { results } = await change({ ids: ids.slice(0, 1), change: { add_tags: many } });
  expect(results[0]?.error?.code).toBe('invalid_field');
});

test.each<[string, object, string]>([
  ['neither ids nor filter', {}, 'invalid_field'],
  ['ids and filter', { ids: ['inc_1'], filter: {} }, 'invalid_field'],
  ['a cursor without a filter', { ids: ['inc_1'], cursor: 'x' }, 'invalid_field'],
  ['no ids', { ids: [] }, 'invalid_field'],
  ['an id twice', { ids: ['inc_1', 'inc_1'] }, 'invalid_field'],
  [
    'too many ids',
    { ids: Array.from({ length: BULK_LIMIT + 1 }, (_, index) => `inc_${index}`) },
    'invalid_field',
  ],
  ['fewer versions than ids', { ids: ['inc_1', 'inc_2'], versions: [1] }, 'invalid_field'],
  ['versions without ids', { filter: {}, versions: [1] }, 'invalid_field'],
  ['an unknown filter', { filter: { color: 'red' } }, 'invalid_field'],
  ['a filter that the list refuses', { filter: { severity: 'red' } }, 'invalid_field'],
  ['a limit over the maximum', { filter: {}, limit: BULK_LIMIT + 1 }, 'invalid_field'],
  ['a cursor that is not one', { filter: {}, cursor: 'x' }, 'invalid_cursor'],
  ['an empty change', { ids: ['inc_1'], change: {} }, 'invalid_field'],
])('a request with %s is refused', async (_, parts, code) => {
  const answer = await send({ change: { status: 'on_hold' }, ...parts });
  expect([answer.status, codeOf(answer)]).toEqual([400, code]);
});

test('a cursor is valid for the same filter only', async () => {
  await openIncidents(2);
  const body = { filter: { status: 'open' }, change: { tags: ['x'] }, limit: 1 };
  const { next_cursor: cursor } = await change(body);
  expect(codeOf(await send({ ...body, cursor, filter: { status: 'closed' } }))).toBe(
    'cursor_filter_mismatch',
  );
});

test('a credential that ends during the request changes nothing more, and the results say so', async () => {
  const [first = '', second = '', third = ''] = await openIncidents(3);
  const credential = await service.createCredential(tenant.tenantId, SCOPES);
  // The second change waits for this transaction, which revokes the credential.
  const { database } = service.service;
  const { token_id: tokenId } = await database.read.db
    .selectFrom('tokens')
    .select('token_id')
    .where('tenant_id', '=', tenant.tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('token_id', 'desc')
    .executeTakeFirstOrThrow();
  const answering = send({ ids: [first, second, third], change: { status: 'on_hold' } }, credential);
  while ((await statuses())[0] === 'open');
  await database.transaction((tx) =>
    tx.db.updateTable('tokens').set({ revoked_at: 1 }).where('token_id', '=', tokenId).execute(),
  );
  const answer = await answering;
  expect(answer.status).toBe(200);
  const codes = (answer.body as Answer).results.map(({ error }) => error?.code);
  const changed = (await list()).map(({ status }) => status === 'on_hold');
  expect(codes.map((code) => code === undefined)).toEqual(changed);
  expect(codes.filter((code) => code !== undefined && code !== 'invalid_credentials')).toEqual([]);
});
