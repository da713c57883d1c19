import { request } from 'node:http';
import { findFreePort } from '@tps/testing/network';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const ORIGIN = 'https://console.example.com';
const running = useTestService({ env: { SERVICE_CORS_ORIGINS: ORIGIN } });

const METADATA = [
  '/auth/.well-known/openid-configuration',
  '/auth/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/auth',
];

test.each(METADATA)('%s describes the endpoints and ignores the host of the request', async (path) => {
  const body = await getWithHost(new URL(`${running.baseUrl}${path}`), 'evil.example.com');
  const auth = `${running.baseUrl}/auth`;
  expect(JSON.parse(body)).toMatchObject({
    issuer: auth,
    authorization_endpoint: `${auth}/authorize`,
    token_endpoint: `${auth}/token`,
    revocation_endpoint: `${auth}/revoke`,
    introspection_endpoint: `${auth}/introspect`,
    device_authorization_endpoint: `${auth}/device/code`,
    jwks_uri: `${auth}/jwks`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  });
  expect(body).not.toContain('evil');
});

test('the published keys have no private part', async () => {
  const { keys } = (await (await fetch(`${running.baseUrl}/auth/jwks`)).json()) as { keys: object[] };
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
});

test.each([
  ['GET', '/Device?user_code=BCDF-GHJK'],
  ['POST', '/Device'],
  ['GET', '/DEVICE/anything'],
  ['POST', '/device/'],
  ['GET', '/Authorize'],
  ['GET', '/JWKS'],
  ['POST', '/token/'],
])('%s %s does not exist in this spelling', async (method, path) => {
  const response = await fetch(`${running.baseUrl}/auth${path}`, { method });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<h1>This page does not exist</h1>');
});

describe('a page of another origin', () => {
  test.each([
    [ORIGIN, '/token', 204, ORIGIN],
    ['https://evil.example.com', '/token', 404, null],
    [ORIGIN, '/authorize', 404, null],
  ])('at %s, the preflight of %s gets %i', async (origin, path, status, allowed) => {
    const response = await fetch(`${running.baseUrl}/auth${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, allowed]);
  });

  test.each([
    [ORIGIN, ORIGIN],
    ['https://evil.example.com', null],
  ])('at %s reads the keys if it is listed', async (origin, allowed) => {
    const response = await fetch(`${running.baseUrl}/auth/jwks`, { headers: { origin } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, allowed]);
  });
});

describe('behind a proxy with a path', () => {
  let bind: string;
  useTestService(async () => {
    bind = `127.0.0.1:${await findFreePort()}`;
    return { env: { SERVICE_BIND: bind, SERVICE_BASE_URL: 'https://api.example.com/tps' } };
  });

  test('the addresses have the public prefix', async () => {
    const response = await fetch(`http://${bind}/auth/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: 'https://api.example.com/tps/auth',
      token_endpoint: 'https://api.example.com/tps/auth/token',
    });
  });
});

/** `fetch` does not let a test choose the header. */
function getWithHost(address: URL, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: { host, 'x-forwarded-host': host } }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    });
    sent.on('error', reject).end();
  });
}
