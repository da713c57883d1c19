import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';
import { createClient } from './testing/oauth-requests.ts';

const service = useTestService({
  env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true', SERVICE_AUTH_PAR: 'on' },
});
const IS_SHARED = process.env.TEST_STORE === 'postgres';

const from = (address: string) => ({ 'x-forwarded-for': address });

async function countRecords(model?: string): Promise<number> {
  let query = service.service.database.read.db.selectFrom('oauth_records').select('record_hash');
  if (model !== undefined) query = query.where('model', '=', model);
  return (await query.execute()).length;
}

/** Asks for the codes of a device. */
async function askForCode(
  address: string,
  { baseUrl = service.baseUrl, form = {} }: { baseUrl?: string; form?: Record<string, string> } = {},
) {
  const body = new URLSearchParams({ client_id: COMMAND_LINE_CLIENT, scope: 'status:read', ...form });
  const response = await fetch(`${baseUrl}/auth/device/code`, {
    method: 'POST',
    body,
    headers: from(address),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function redeem(deviceCode: string | undefined) {
  const body = new URLSearchParams({
    client_id: COMMAND_LINE_CLIENT,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode ?? '',
  });
  const response = await fetch(`${service.baseUrl}/auth/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Stores requests of devices, by default each from another network. */
async function fill(
  count: number,
  askedBy = (index: number) => `network 10.${index >> 8}.${index & 255}.0/24`,
): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    tenant_id: '',
    record_hash: `${askedBy(index)} ${index}`,
    model: 'DeviceCode',
    payload: '{}',
    grant_id: null,
    uid: null,
    user_code_hash: null,
    client_id: COMMAND_LINE_CLIENT,
    account_id: null,
    created_at: now - 1000,
    expires_at: now + 600_000,
    consumed_at: null,
    asked_by: askedBy(index),
  }));
  await service.service.database.transaction((tx) => tx.insertMany('oauth_records', rows));
}

test('an authorization request of a browser in which no one is signed in is not stored', async () => {
  const application = await TestApplication.register(service);
  const requests = [
    {},
    { prompt: 'login' },
    { prompt: 'none' },
    { prompt: 'consent', scope: 'openid devices:read', max_age: '0' },
    { state: 'x'.repeat(4000), login_hint: 'y'.repeat(200) },
    { redirect_uri: 'https://evil.example/' },
    { client_id: 'cli_unknown' },
  ];
  const before = await countRecords();
  for (const params of requests) {
    const address = application.authorizationUrl(params);
    expect((await fetch(address, { redirect: 'manual' })).status).toBeLessThan(500);
  }
  expect(await countRecords()).toBe(before);
  // Nor one of a browser in which someone was signed in.
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, await createPerson(service));
  await browser.open(application.authorizationUrl());
  await browser.submit(await browser.open('/auth/logout'));
  await browser.open(application.authorizationUrl());
  const afterSignOut = await countRecords();
  for (let time = 0; time < 3; time += 1) await browser.open(application.authorizationUrl());
  expect(await countRecords()).toBe(afterSignOut);
});

test.each([
  ['a long state', { state: `${'s'.repeat(3000)}/+=?&` }],
  ['prompt=login', { prompt: 'login' }],
  ['max_age=0', { max_age: '0', scope: 'openid devices:read' }],
] satisfies [string, Record<string, string>][])(
  'a person who signs in for an application with %s gets back to it, after one proof',
  async (_, params) => {
    const application = await TestApplication.register(service);
    const { email, password } = await createPerson(service);
    const browser = new FormBrowser(service.baseUrl);
    const login = await browser.open(application.authorizationUrl(params));
    expect(login.url.pathname).toBe('/auth/login');
    const consent = await browser.submit(login, { email, password });
    expect(consent.title).toContain('Allow Example?');
    const { leftTo } = await browser.submit(consent, {}, { button: 'Allow' });
    expect(leftTo?.searchParams.get('state')).toBe('state' in params ? params.state : 'the state');
    expect(await application.exchange(leftTo as URL)).toMatchObject({ status: 200 });
  },
);

test('a pushed request survives the sign-in, and counts for its network only', async () => {
  const client = await createClient(service, {
    grant_types: ['authorization_code'],
    redirect_uris: ['https://app.example.com/callback'],
    scopes: ['status:read'],
    token_endpoint_auth_method: 'none',
  });
  const push = async (state: string) => {
    const body = new URLSearchParams({
      ...{
        client_id: client.clientId,
        response_type: 'code',
        redirect_uri: 'https://app.example.com/callback',
      },
      ...{ code_challenge: 'A'.repeat(43), code_challenge_method: 'S256', scope: 'status:read', state },
    });
    const headers = from('198.51.100.9');
    const response = await fetch(`${service.baseUrl}/auth/par`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const { body } = await push('pushed');
  const query = new URLSearchParams({ client_id: client.clientId, request_uri: body.request_uri ?? '' });
  const { email, password } = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  const login = await browser.open(`/auth/authorize?${query}`);
  expect(login.url.pathname).toBe('/auth/login');
  const consent = await browser.submit(login, { email, password });
  const { leftTo } = await browser.submit(consent, {}, { button: 'Allow' });
  expect(leftTo?.searchParams.get('state')).toBe('pushed');
  for (let time = 0; time < 205; time += 1) await push(String(time));
  expect(await countRecords('PushedAuthorizationRequest')).toBeLessThanOrEqual(200);
  expect((await push('x'.repeat(20_000))).status).toBe(400);
});

test('one network holds at most 200 requests of devices, and keeps no other network out', async () => {
  const honest = await askForCode('198.51.100.7');
  const addresses = Array.from({ length: 210 }, (_, index) => `203.0.113.${index}`);
  for (const address of addresses) expect((await askForCode(address)).status).toBe(200);
  const { db } = service.service.database.read;
  const held = await db
    .selectFrom('oauth_records')
    .select('payload')
    .where('asked_by', '=', 'network 203.0.113.0/24')
    .execute();
  expect(held).toHaveLength(200);
  expect(await redeem(honest.body.device_code)).toMatchObject({ body: { error: 'authorization_pending' } });
  expect((await askForCode('203.0.113.1', { form: { login_hint: 'x'.repeat(20_000) } })).status).toBe(400);
});

test('a confidential client has at most 1,000 requests of devices', async () => {
  const grant_types = ['urn:ietf:params:oauth:grant-type:device_code'];
  const { clientId, secret } = await createClient(service, { grant_types, scopes: ['status:read'] });
  const key = `DeviceCode of ${clientId}`;
  await fill(1000, () => key);
  const authorization = `Basic ${btoa(`${clientId}:${secret}`)}`;
  const body = new URLSearchParams({ scope: 'status:read' });
  const headers = { authorization };
  const response = await fetch(`${service.baseUrl}/auth/device/code`, { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  const { db } = service.service.database.read;
  const held = await db.selectFrom('oauth_records').select('model').where('asked_by', '=', key).execute();
  expect(held).toHaveLength(1000);
});

test('requests from thousands of networks do not keep a device out, on any node', async () => {
  await fill(2000);
  const second = IS_SHARED ? await service.startNode() : undefined;
  const nodes = [service.baseUrl, second?.baseUrl ?? service.baseUrl];
  const person = await createPerson(service);
  const honest = await askForCode('192.0.2.7');
  // Each of these networks asks again: it loses its own request, or one of another network that holds more.
  for (let index = 0; index < 60; index += 1) {
    const address = `10.0.${index % 30}.9`;
    expect((await askForCode(address, { baseUrl: nodes[index % 2] as string })).status).toBe(200);
  }
  await second?.stop();
  const strangers = await service.service.database.read.db
    .selectFrom('oauth_records')
    .select('record_hash')
    .where('asked_by', 'like', 'network %')
    .execute();
  expect(strangers).toHaveLength(2000);
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  await approveDevice(browser, honest.body.user_code ?? '');
  expect(await redeem(honest.body.device_code)).toMatchObject({ status: 200 });
});

test('a person has at most 20 authorization requests and sessions of the provider', async () => {
  const application = await TestApplication.register(service);
  const person = await createPerson(service);
  for (let time = 0; time < 25; time += 1) {
    const browser = new FormBrowser(service.baseUrl);
    await signIn(browser, person);
    const page = await browser.open(application.authorizationUrl());
    expect(page.title).toContain('Allow');
    if (time === 24) expect((await browser.submit(page)).leftTo).toBeDefined();
  }
  const { db } = service.service.database.read;
  const records = await db
    .selectFrom('oauth_records')
    .select('model')
    .where('model', 'in', ['Interaction', 'Session'])
    .where('asked_by', 'like', `%${person.accountId}`)
    .execute();
  const of = (model: string) => records.filter((record) => record.model === model).length;
  expect([of('Interaction'), of('Session')]).toEqual([19, 20]);
});
