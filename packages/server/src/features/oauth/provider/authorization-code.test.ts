import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { APP, authorizationUrl, grantCode, REDIRECT_URI } from './testing/code-grant.ts';
import { createClient, statusOf, tokenRequest } from './testing/oauth-requests.ts';

const clock = new ManualClock(Date.now());
const running = useTestService({ clock });

const withCode = async (settings: Readonly<Record<string, unknown>> = APP) => {
  const person = await createPerson(running, { role: 'admin', nowMs: clock.now() });
  const client = await createClient(running, settings);
  const form = await grantCode(running, client, { person, scope: 'openid email status:read' });
  return { person, client, form };
};

test('a person allows a client, and its tokens work until the refresh token is revoked', async () => {
  const { client, form } = await withCode();
  const { status, body } = await tokenRequest(running, client, form);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^svc_at_[0-9A-Za-z]{39}$/),
      refresh_token: expect.stringMatching(/^svc_rt_[0-9A-Za-z]{39}$/),
      expires_in: 3600,
      scope: 'status:read',
    },
  });
  expect(await statusOf(running, body.access_token)).toBe(200);

  const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
  const next = await tokenRequest(running, client, refresh);
  expect([next.status, await statusOf(running, next.body.access_token)]).toEqual([200, 200]);
  expect(next.body.refresh_token).not.toBe(body.refresh_token);

  const token = String(next.body.refresh_token);
  expect((await tokenRequest(running, client, { token }, { endpoint: '/revoke' })).status).toBe(200);
  expect(await statusOf(running, next.body.access_token)).toBe(401);
  expect(await statusOf(running, body.access_token)).toBe(401);
});

test('the ID token is signed with a published key, and says who signed in', async () => {
  const { person, client, form } = await withCode();
  const { body } = await tokenRequest(running, client, form);
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const keys = createRemoteJWKSet(new URL(`${running.baseUrl}/auth/jwks`));
  const expected = { issuer: `${running.baseUrl}/auth`, audience: client.clientId, algorithms: ['ES256'] };
  const { payload } = await jwtVerify(String(body.id_token), keys, expected);
  expect(payload).toMatchObject({ sub: person.accountId, email: person.email });
});

test.each([
  ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
  ['no verifier', { code_verifier: '' }],
  ['another redirect address', { redirect_uri: `${REDIRECT_URI}/` }],
])('a code is not redeemed with %s, and stays valid for its client', async (_, change) => {
  const { client, form } = await withCode();
  const refused = await tokenRequest(running, client, { ...form, ...change });
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
  expect((await tokenRequest(running, client, form)).status).toBe(200);
});

test("another client's code is not redeemed", async () => {
  const { client, form } = await withCode();
  const other = await createClient(running, APP);
  const refused = await tokenRequest(running, other, form);
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
  expect((await tokenRequest(running, client, form)).status).toBe(200);
});

test('a code ends after a minute', async () => {
  const { client, form } = await withCode();
  clock.advance(61_000);
  expect((await tokenRequest(running, client, form)).body.error).toBe('invalid_grant');
});

test.each([
  ['no challenge', { code_challenge: '', code_challenge_method: '' }],
  ['the method "plain"', { code_challenge_method: 'plain' }],
])('a public client with %s is sent back with an error', async (_, change) => {
  const client = await createClient(running, { ...APP, token_endpoint_auth_method: 'none' });
  const { address } = authorizationUrl(running, client, { scope: 'status:read', ...change });
  const response = await fetch(address, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe(REDIRECT_URI);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    error: 'invalid_request',
    state: 'a state',
    iss: `${running.baseUrl}/auth`,
  });
});

test('an unknown scope is sent back as invalid_scope', async () => {
  const client = await createClient(running, APP);
  const { address } = authorizationUrl(running, client, { scope: 'status:everything' });
  const response = await fetch(address, { redirect: 'manual' });
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope');
});

test('an address that is not registered is never led to', async () => {
  const client = await createClient(running, APP);
  for (const uri of ['https://evil.example.com/', `${REDIRECT_URI}/more`, `${REDIRECT_URI}?x=1`]) {
    const { address } = authorizationUrl(running, client, { scope: 'status:read', redirect_uri: uri });
    const response = await fetch(address, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  }
});

test('no code, token or secret is stored or logged', async () => {
  const { client, form } = await withCode();
  const { body } = await tokenRequest(running, client, form);
  const { db } = running.service.database.read;
  const stored = JSON.stringify([
    await db.selectFrom('oauth_records').selectAll().execute(),
    await db.selectFrom('tokens').selectAll().execute(),
    await db.selectFrom('audit_entries').selectAll().execute(),
  ]);
  const secrets = [form.code, form.code_verifier, body.access_token, body.refresh_token, body.id_token];
  for (const secret of [...secrets, client.secret]) {
    expect(String(secret).length).toBeGreaterThan(20);
    expect(stored).not.toContain(String(secret));
    expect(running.log()).not.toContain(String(secret));
  }
});
