import type { NoticeChannel } from '@tps/contract';
import { NOTICE_CHANNEL_LIMIT } from '@tps/contract/vocabulary';
import { useMailServer } from '@tps/testing/mail';
import { listAudit, type TestTenant, useTestService } from '@tps/testing/service';
import { dumpStore, holdsText } from '@tps/testing/store';
import { describe, expect, test } from 'vitest';

const mailServer = useMailServer();
const service = useTestService(() => ({
  env: {
    SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 5).toString('base64'),
    SERVICE_WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24',
    SERVICE_SMTP_URL: mailServer.url,
    SERVICE_SMTP_FROM: 'tps@example.com',
  },
}));

const SLACK = { name: 'Team', kind: 'slack', url: 'https://192.0.2.1/services/T0/B0/secret-part' };
const MAIL = { name: 'On call', kind: 'email', address: 'kim@example.com' };
const SECRET = 'a-secret-of-thirty-two-characters';

function send(
  method: string,
  path: string,
  body?: object,
  tenant: TestTenant = service.tenant,
  headers = {},
) {
  const { credential } = tenant;
  return service.client.send(method, path, { credential, headers, ...(body ? { body } : {}) });
}

async function create(body: object, tenant?: TestTenant): Promise<NoticeChannel> {
  const answer = await send('POST', '/notice-channels', body, tenant);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as NoticeChannel;
}

test('a channel is created, read, listed, changed and deleted', async () => {
  const tenant = await service.createTenant();
  const created = await send('POST', '/notice-channels', SLACK, tenant);
  const channel = created.body as NoticeChannel;
  expect(channel).toMatchObject({
    ...{ name: 'Team', kind: 'slack', address: null, url_origin: 'https://192.0.2.1', version: 1 },
    ...{ topics: ['incidents', 'protection'], min_severity: 'high', quiet_hours: null },
    ...{ max_per_hour: 10, status: 'active', tenant_id: tenant.tenantId },
  });
  const path = `/notice-channels/${channel.channel_id}`;
  expect(created.headers.get('location')).toBe(path);
  expect((await send('GET', path, undefined, tenant)).body).toEqual(channel);
  const list = await send('GET', '/notice-channels', undefined, tenant);
  expect(list.body).toMatchObject({ data: [channel], has_more: false });

  const quietHours = { time_zone: 'Europe/Berlin', days: ['sat', 'sun'], from: '20:00', until: '08:00' };
  const changed = await send('PATCH', path, { min_severity: 'critical', quiet_hours: quietHours }, tenant);
  const expected = {
    min_severity: 'critical',
    quiet_hours: { ...quietHours, break_through: 'critical' },
    version: 2,
  };
  expect(changed.body).toMatchObject(expected);
  expect((await send('GET', path, undefined, tenant)).body).toMatchObject(expected);

  expect((await send('DELETE', path, undefined, tenant)).status).toBe(204);
  expect((await send('DELETE', path, undefined, tenant)).status).toBe(404);
  expect(await listAudit(service, channel.channel_id)).toEqual([
    'notice_channel.create success',
    'notice_channel.update success',
    'notice_channel.delete success',
  ]);
});

test('a change with the tag of an older version is refused and changes nothing', async () => {
  const { channel_id: id } = await create(MAIL);
  const path = `/notice-channels/${id}`;
  const etag = (await send('GET', path)).headers.get('etag') ?? '';
  const change = (name: string) => send('PATCH', path, { name }, service.tenant, { 'if-match': etag });
  expect((await change('First')).headers.get('etag')).toBe('"2"');
  const refused = await change('Second');
  expect(refused.status).toBe(412);
  expect(refused.body).toMatchObject({ error: { code: 'version_mismatch' } });
  expect((await send('GET', path)).body).toMatchObject({ name: 'First', version: 2 });
  // What changes nothing is not a version.
  expect((await send('PATCH', path, { name: 'First' })).body).toMatchObject({ version: 2 });
});

test('a repeat with the same Idempotency-Key creates no second channel', async () => {
  const tenant = await service.createTenant();
  const headers = { 'idempotency-key': 'once' };
  const first = await send('POST', '/notice-channels', MAIL, tenant, headers);
  const again = await send('POST', '/notice-channels', MAIL, tenant, headers);
  expect(again.body).toEqual(first.body);
});

test('neither URL nor secret is shown, logged, audited or stored in plain text', async () => {
  const url = 'https://192.0.2.1/hidden-path';
  const { channel_id: id, ...shown } = await create({ name: 'Pager', kind: 'webhook', url, secret: SECRET });
  await send('PATCH', `/notice-channels/${id}`, { secret: `${SECRET}-2` });
  const audit = await send('GET', `/audit?resource_id=${id}`);
  const dump = await dumpStore(service.store);
  for (const secret of ['hidden-path', SECRET]) {
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(audit.text).not.toContain(secret);
    expect(service.log()).not.toContain(secret);
    expect(holdsText(dump, secret)).toBe(false);
  }
  expect(audit.text).toContain('Pager');
  expect(holdsText(dump, 'Pager')).toBe(true);
});

describe('a malformed channel is refused and names the member', () => {
  const quiet = { time_zone: 'Europe/Berlin', days: ['mon'], from: '22:00', until: '07:00' };
  test.each([
    ['no URL', { ...SLACK, url: undefined }, 'missing_field', 'url'],
    ['no address', { ...MAIL, address: undefined }, 'missing_field', 'address'],
    ['no secret', { ...SLACK, kind: 'webhook' }, 'missing_field', 'secret'],
    [
      'a secret that is not a key',
      { ...SLACK, kind: 'webhook', secret: 'whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVV' },
      'invalid_field',
      'secret',
    ],
    ['a secret for Slack', { ...SLACK, secret: SECRET }, 'invalid_field', 'secret'],
    ['an address for Slack', { ...SLACK, address: 'kim@example.com' }, 'invalid_field', 'address'],
    ['a header in the address', { ...MAIL, address: 'a@b.c\r\nBcc: x@y.z' }, 'invalid_field', 'address'],
    ['another kind', { ...SLACK, kind: 'pigeon' }, 'invalid_field', 'kind'],
    ['no limit', { ...MAIL, max_per_hour: 0 }, 'invalid_field', 'max_per_hour'],
    [
      'an unknown zone',
      { ...MAIL, quiet_hours: { ...quiet, time_zone: 'Mars/Base' } },
      'invalid_field',
      'time_zone',
    ],
    ['an hour 24', { ...MAIL, quiet_hours: { ...quiet, from: '24:00' } }, 'invalid_field', 'from'],
    ['no day', { ...MAIL, quiet_hours: { ...quiet, days: [] } }, 'invalid_field', 'days'],
    ['an unknown member', { ...MAIL, colour: 'red' }, 'invalid_field', 'colour'],
  ])('%s', async (_, body, code, member) => {
    const answer = await send('POST', '/notice-channels', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code, message: expect.stringContaining(member) } });
  });
});

test('a malformed secret does not replace the one of a channel', async () => {
  const { channel_id: id } = await create({ ...SLACK, kind: 'webhook', secret: SECRET });
  const answer = await send('PATCH', `/notice-channels/${id}`, { secret: 'whsec_not-base64-at-all' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: { code: 'invalid_field', message: expect.stringContaining('secret ') },
  });
});

test.each([
  'https://127.0.0.1/hook',
  'http://192.0.2.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
  'https://user:password@192.0.2.1/',
])('a channel cannot lead to %s, neither new nor changed', async (url) => {
  const { channel_id: id } = await create(SLACK);
  for (const answer of [
    await send('POST', '/notice-channels', { ...SLACK, url }),
    await send('PATCH', `/notice-channels/${id}`, { url }),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { message: expect.stringContaining('url is rejected') } });
  }
  await send('DELETE', `/notice-channels/${id}`);
});

test('the kind of a channel decides what a change may name', async () => {
  const { channel_id: id } = await create(MAIL);
  const answer = await send('PATCH', `/notice-channels/${id}`, { url: 'https://192.0.2.1/' });
  expect(answer.body).toMatchObject({
    error: { code: 'invalid_field', message: expect.stringMatching(/^url /) },
  });
});

test(`a tenant has at most ${NOTICE_CHANNEL_LIMIT} channels`, async () => {
  const tenant = await service.createTenant();
  for (let made = 0; made < NOTICE_CHANNEL_LIMIT; made += 1) await create(MAIL, tenant);
  const answer = await send('POST', '/notice-channels', MAIL, tenant);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ error: { code: 'notice_channel_limit_reached' } });
});

test("another tenant's channel is not found, and its notices are not listed", async () => {
  const { channel_id: id } = await create(MAIL);
  expect((await send('POST', `/notice-channels/${id}/test`)).status).toBe(202);
  const other = await service.createTenant();
  const path = `/notice-channels/${id}`;
  expect((await send('GET', path, undefined, other)).status).toBe(404);
  expect((await send('PATCH', path, { name: 'Mine' }, other)).status).toBe(404);
  expect((await send('POST', `${path}/test`, {}, other)).status).toBe(404);
  expect((await send('DELETE', path, undefined, other)).status).toBe(404);
  expect((await send('GET', '/notices', undefined, other)).body).toMatchObject({ data: [] });
  expect((await send('GET', path)).body).toMatchObject({ name: 'On call' });
});

test('reading needs notices:read, and every change notices:write', async () => {
  const { channel_id: id } = await create(MAIL);
  const { tenantId } = service.tenant;
  const credential = await service.createCredential(tenantId, ['notices:read']);
  const reader = { tenantId, credential };
  expect((await send('GET', '/notice-channels', undefined, reader)).status).toBe(200);
  expect((await send('GET', '/notices', undefined, reader)).status).toBe(200);
  for (const [method, path, body] of [
    ['POST', '/notice-channels', MAIL],
    ['PATCH', `/notice-channels/${id}`, { name: 'x' }],
    ['POST', `/notice-channels/${id}/test`, {}],
    ['DELETE', `/notice-channels/${id}`, undefined],
  ] as const) {
    expect((await send(method, path, body, reader)).status).toBe(403);
  }
  expect((await service.client.send('GET', '/notice-channels')).status).toBe(401);
});

test('a paused channel cannot be tested', async () => {
  const { channel_id: id } = await create(MAIL);
  await send('PATCH', `/notice-channels/${id}`, { status: 'paused' });
  expect((await send('POST', `/notice-channels/${id}/test`)).status).toBe(422);
});

test('a tenant sends at most 20 tests an hour, also if it removes the channels', async () => {
  const tenant = await service.createTenant();
  let people = 0;
  const testNew = async () => {
    people += 1;
    const { channel_id: id } = await create({ ...MAIL, address: `person-${people}@example.com` }, tenant);
    const answer = await send('POST', `/notice-channels/${id}/test`, {}, tenant);
    await send('DELETE', `/notice-channels/${id}`, undefined, tenant);
    return answer;
  };
  for (let sent = 0; sent < 20; sent += 1) expect((await testNew()).status).toBe(202);
  const answer = await testNew();
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('3600');
});

test('an address gets at most 5 tests an hour, of all tenants and channels together', async () => {
  const other = await service.createTenant();
  const statuses: number[] = [];
  for (const [index, address] of ['max@example.com', 'MAX@example.com', 'm.ax+a@example.com'].entries()) {
    const tenant = index === 2 ? other : service.tenant;
    const { channel_id: id } = await create({ ...MAIL, address }, tenant);
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await send('POST', `/notice-channels/${id}/test`, undefined, tenant)).status);
    }
  }
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 429, 429]);
});
