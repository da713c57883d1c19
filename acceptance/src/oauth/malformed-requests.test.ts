import { testFetch } from '@tps/testing/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, createClient, issuerOf, sendForm, toForm, useOAuthService } from './oauth-service.ts';

const service = useOAuthService();
let client: Awaited<ReturnType<typeof createClient>>;

beforeAll(async () => {
  client = await createClient(service);
});

afterAll(() => {
  const failures = service
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  expect(failures).toEqual([]);
});

const FORM = 'application/x-www-form-urlencoded';
const ENDPOINTS = ['/token', '/revoke', '/introspect', '/device/code', '/par'];

interface RequestParts {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Sends a request with the client's credentials, and checks what every refusal has in common. */
async function ask(path: string, { method = 'POST', query = '', headers = {}, body }: RequestParts) {
  const answer = await testFetch(`${issuerOf(service)}${path}${query}`, {
    method,
    headers: { authorization: basic(client), 'content-type': FORM, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeGreaterThanOrEqual(400);
  expect(answer.status, text).toBeLessThan(500);
  expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|access_token/);
  return { status: answer.status, text, headers: answer.headers };
}

const VALID: Readonly<Record<string, Record<string, string>>> = {
  '/token': { grant_type: 'client_credentials' },
  '/revoke': { token: 'x' },
  '/introspect': { token: 'x' },
  '/device/code': {},
  '/par': { response_type: 'code', redirect_uri: 'https://client.example/callback' },
};
const formOf = (path: string) => toForm(VALID[path] ?? {}).toString();

describe.each(ENDPOINTS)('%s', (path) => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('refuses %s', async (method) => {
    const isRead = method === 'GET';
    const query = isRead ? `?${formOf(path)}` : '';
    const { status } = await ask(path, { method, query, ...(isRead ? {} : { body: formOf(path) }) });
    expect([404, 405]).toContain(status);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml'])(
    'refuses a body of type %s',
    async (type) => {
      const body = type.endsWith('json') ? JSON.stringify(VALID[path]) : formOf(path);
      await ask(path, { headers: { 'content-type': type }, body });
    },
  );

  test('refuses a body that is too large', async () => {
    const { status } = await ask(path, { body: `${formOf(path)}&padding=${'x'.repeat(2_000_000)}` });
    expect([400, 413]).toContain(status);
  });

  test('refuses parameters that occur twice', async () => {
    const [name = 'scope', value = 'x'] = Object.entries(VALID[path] ?? {})[0] ?? [];
    const body = `${formOf(path)}&${toForm({ [name]: value })}&${toForm({ [name]: 'other' })}`;
    const { text } = await ask(path, { body });
    expect(text).toContain('invalid_request');
  });

  test('refuses credentials in the address', async () => {
    const secret = { client_id: client.client_id, client_secret: client.client_secret };
    const answer = await testFetch(`${issuerOf(service)}${path}?${toForm(secret)}`, {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: formOf(path),
    });
    expect([400, 401]).toContain(answer.status);
  });

  test.each([
    'Basic',
    'Basic !!!!',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from('%:%').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    `Basic ${Buffer.from(`${'x'.repeat(5000)}:y`).toString('base64')}`,
    'Bearer x',
    'Negotiate x',
  ])('refuses the header Authorization: %s', async (authorization) => {
    const { status } = await ask(path, { headers: { authorization }, body: formOf(path) });
    expect([400, 401]).toContain(status);
  });

  test.each([
    new Uint8Array([0xff, 0xfe, 0x3d, 0xc3]),
    'grant_type=%zz&token=%',
    '='.repeat(5000),
    '&'.repeat(5000),
    'grant_type[]=client_credentials&grant_type[constructor]=x&__proto__[x]=y',
    'grant_type=constructor',
    'grant_type=__proto__',
    'grant_type=password&username=x&password=y',
    'grant_type=client_credentials&scope=%00',
    'grant_type=client_credentials&scope=events:read%0d%0ax',
    'grant_type=client_credentials&scope=every:thing',
    'grant_type=client_credentials&resource=https%3A%2F%2Fevil.example',
    'grant_type=refresh_token&refresh_token=%00',
    `grant_type=authorization_code&code=${'x'.repeat(20_000)}`,
  ])('never fails on the body %#', async (body) => {
    const answer = await testFetch(`${issuerOf(service)}${path}`, {
      method: 'POST',
      headers: { authorization: basic(client), 'content-type': FORM },
      body,
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(500);
    expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|access_token/);
  });
});

test('answers with tokens are not stored by caches', async () => {
  const { headers } = await sendForm(service, '/token', { as: client, grant_type: 'client_credentials' });
  expect(headers.get('cache-control')).toContain('no-store');
});

test.each([
  'response_type=code&response_type=token',
  'redirect_uri=https%3A%2F%2Fevil.example',
  'client_id=cli_other',
  'scope=openid&scope=events:write',
  'state=a&state=b',
])('an authorization request with a repeated parameter gives no code: %s', async (more) => {
  const usual = { client_id: client.client_id, response_type: 'code', scope: 'openid' };
  const query = `${toForm({ ...usual, redirect_uri: 'https://client.example/callback', state: 's' })}&${more}`;
  const answer = await testFetch(`${issuerOf(service)}/authorize?${query}`, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) expect(answer.status).toBe(400);
  else expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  expect(location ?? '').not.toContain('evil.example');
});
