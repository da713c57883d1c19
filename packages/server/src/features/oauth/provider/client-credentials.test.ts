import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { createClient, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService();

test('a client gets a token by client credentials, and the token works on the API', async () => {
  const client = await createClient(running, { scopes: ['status:read', 'events:read'] });
  const { status, body } = await tokenRequest(running, client, {
    grant_type: 'client_credentials',
    scope: 'status:read',
  });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^svc_at_[0-9A-Za-z]{39}$/),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'status:read',
    },
  });
  const authorization = `Bearer ${body.access_token}`;
  const allowed = await fetch(`${running.baseUrl}/status`, { headers: { authorization } });
  expect([allowed.status, await allowed.json()]).toMatchObject([200, { tenant_id: client.tenantId }]);
  const denied = await fetch(`${running.baseUrl}/events`, { headers: { authorization } });
  expect([denied.status, await denied.json()]).toMatchObject([
    403,
    { error: { code: 'insufficient_scope' } },
  ]);
});

test('HTTP Basic works as the form does', async () => {
  const client = await createClient(running, {
    scopes: ['status:read'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const { status } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  expect(status).toBe(200);
});

test('without a scope, the token has those that the client is registered with', async () => {
  const client = await createClient(running, { scopes: ['status:read', 'events:read'] });
  const { body } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  expect(body.scope).toBe('status:read events:read');
});

test.each(['status:read devices:read', 'status:everything', 'openid'])(
  'the scope "%s" is refused to a client that is registered with less',
  async (scope) => {
    const client = await createClient(running, { scopes: ['status:read'] });
    const { status, body } = await tokenRequest(running, client, { grant_type: 'client_credentials', scope });
    expect([status, body.error]).toEqual([400, 'invalid_scope']);
  },
);

test.each([
  ['authorization_code', { code: 'a', redirect_uri: 'https://portal.example/callback' }],
  ['refresh_token', { refresh_token: 'a' }],
  ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'a' }],
])('the grant %s is refused to a client that lacks it', async (grant_type, form) => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const { status, body } = await tokenRequest(running, client, { grant_type, ...form });
  expect([status, body.error]).toEqual([400, 'unauthorized_client']);
});

test('a wrong secret is refused', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const wrong = { ...client, secret: `${client.secret.slice(0, -1)}?` };
  const { status, body } = await tokenRequest(running, wrong, { grant_type: 'client_credentials' });
  expect([status, body.error]).toEqual([401, 'invalid_client']);
});

test('an access token is neither listed nor shown, and ends when it is deleted', async () => {
  const client = await createClient(running, { scopes: ['status:read', 'tokens:read'] });
  const { body } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  const headers = { authorization: `Bearer ${running.tenant.credential}` };
  const listed = await fetch(`${running.baseUrl}/tokens?limit=100`, { headers });
  const { data } = (await listed.json()) as { data: { created_by: string }[] };
  expect(data.filter((one) => one.created_by === client.clientId)).toEqual([]);

  const row = await running.service.database.read.db
    .selectFrom('tokens')
    .select(['token_id', 'token_hash'])
    .where('client_id', '=', client.clientId)
    .executeTakeFirstOrThrow();
  const shown = await fetch(`${running.baseUrl}/tokens/${row.token_id}`, { headers });
  expect(shown.status).toBe(404);
  const deleted = await fetch(`${running.baseUrl}/tokens/${row.token_id}`, { method: 'DELETE', headers });
  expect(deleted.status).toBe(204);
  const authorization = `Bearer ${body.access_token}`;
  expect((await fetch(`${running.baseUrl}/status`, { headers: { authorization } })).status).toBe(401);
});

test('the token of a deleted client ends with it', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const { body } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  const headers = { authorization: `Bearer ${running.tenant.credential}` };
  await fetch(`${running.baseUrl}/oauth-clients/${client.clientId}`, { method: 'DELETE', headers });
  const authorization = `Bearer ${body.access_token}`;
  expect((await fetch(`${running.baseUrl}/status`, { headers: { authorization } })).status).toBe(401);
  const again = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  expect([again.status, again.body.error]).toEqual([401, 'invalid_client']);
});
