import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const OTHER = 'https://evil.example';
const service = useTestService({ env: { SERVICE_CORS_ORIGINS: OTHER } });

async function signedIn(): Promise<string> {
  return startSession(service, await createPerson(service));
}

test.each<[string, Readonly<Record<string, string | undefined>>]>([
  ['a foreign origin', { origin: OTHER, 'sec-fetch-site': 'cross-site' }],
  ['an origin that the browser hides', { origin: 'null' }],
  ['another host of the domain', { 'sec-fetch-site': 'same-site' }],
  ['another site, by the browser', { 'sec-fetch-site': 'cross-site' }],
  ['no origin', { origin: undefined }],
  ['a request without the header', { 'x-tps-console': undefined }],
])('a session is not exchanged for %s', async (_, headers) => {
  const { status, body } = await exchangeSession(service, await signedIn(), { headers });
  expect([status, body]).toMatchObject([403, { error: { code: 'insufficient_scope' } }]);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
  'a session is not exchanged for a form of another site: %s',
  async (type) => {
    const headers = { 'content-type': type };
    expect((await exchangeSession(service, await signedIn(), { headers })).status).toBe(415);
  },
);

test('signing out needs the same as the exchange', async () => {
  const cookie = `tps-session=${await signedIn()}`;
  const end = (headers: Record<string, string>) =>
    fetch(`${service.baseUrl}/console/session`, { method: 'DELETE', headers: { cookie, ...headers } });
  expect((await end({ origin: OTHER, 'x-tps-console': '1' })).status).toBe(403);
  expect((await end({ origin: service.baseUrl })).status).toBe(403);
  expect((await end({ origin: service.baseUrl, 'x-tps-console': '1' })).status).toBe(204);
});

test('a page of an origin that may call the API cannot read or send the exchange', async () => {
  const preflight = await fetch(`${service.baseUrl}/console/session`, {
    method: 'OPTIONS',
    headers: { origin: OTHER, 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-methods')).toBeNull();
  const headers = { origin: OTHER };
  const answer = await exchangeSession(service, await signedIn(), { headers });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('a token never comes by GET', async () => {
  const response = await fetch(`${service.baseUrl}/console/session`, {
    headers: { cookie: `tps-session=${await signedIn()}`, 'x-tps-console': '1', origin: service.baseUrl },
  });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
});

test('the API accepts no cookie', async () => {
  const response = await fetch(`${service.baseUrl}/status`, {
    headers: { cookie: `tps-session=${await signedIn()}` },
  });
  expect(response.status).toBe(401);
});

describe('the body of an exchange', () => {
  test.each(['', '[]', 'null', '{', '"x"', '{"tenant_id":1}'])('is refused: %j', async (body) => {
    expect((await exchangeSession(service, await signedIn(), { body })).status).toBe(400);
  });

  test.each(['tnt_unknown', '__proto__', '../x', 'x'.repeat(900)])(
    'names an unknown tenant: %j',
    async (tenant_id) => {
      expect((await exchangeSession(service, await signedIn(), { body: { tenant_id } })).status).toBe(404);
    },
  );

  test('is bounded', async () => {
    const body = { tenant_id: 'x'.repeat(2000) };
    expect((await exchangeSession(service, await signedIn(), { body })).status).toBe(413);
  });
});

test('exchanges from one address are limited', async () => {
  // Without a cookie: each is answered without the store.
  let answer = await exchangeSession(service, undefined);
  for (let sent = 0; sent < 320 && answer.status === 401; sent += 1) {
    answer = await exchangeSession(service, undefined);
  }
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
