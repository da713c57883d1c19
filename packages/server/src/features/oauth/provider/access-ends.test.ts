import { systemClock } from '@tps/server/store';
import { createPerson, type TestService, type TestTenant, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { TenantDeletion } from '../../tenants/index.ts';
import { APP, grantCode } from './testing/code-grant.ts';
import { createClient, type OauthTestClient, statusOf, tokenRequest } from './testing/oauth-requests.ts';

const running = useTestService();
const IS_SHARED = process.env.TEST_STORE === 'postgres';

type Change = (parts: { tenant: TestTenant; accountId: string; client: OauthTestClient }) => Promise<unknown>;

const call =
  (method: string, path: (parts: Parameters<Change>[0]) => string, body?: object): Change =>
  async (parts) => {
    const response = await fetch(`${running.baseUrl}${path(parts)}`, {
      method,
      headers: { authorization: `Bearer ${parts.tenant.credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([200, 204]).toContain(response.status);
  };

const CHANGES: readonly [string, Change][] = [
  ['the member is removed', call('DELETE', ({ accountId }) => `/members/${accountId}`)],
  [
    'the role of the member changes',
    call('PATCH', ({ accountId }) => `/members/${accountId}`, { role: 'viewer' }),
  ],
  ['the client is deleted', call('DELETE', ({ client }) => `/oauth-clients/${client.clientId}`)],
  [
    'the client loses a scope',
    call('PATCH', ({ client }) => `/oauth-clients/${client.clientId}`, { scopes: ['status:read'] }),
  ],
  [
    'the deletion of the tenant begins',
    ({ tenant }) =>
      new TenantDeletion({ database: running.service.database, clock: systemClock }).begin(
        tenant.tenantId,
        30,
      ),
  ],
];

test.each(CHANGES)('when %s, all tokens end at once on every node', async (_, change) => {
  const tenant = await running.createTenant();
  const scene = { ...running, tenant };
  const node = IS_SHARED ? await running.startNode() : undefined;
  const other: Pick<TestService, 'baseUrl'> = node ?? running;
  try {
    const person = await createPerson(scene, { role: 'analyst' });
    const client = await createClient(scene, APP);
    const form = await grantCode(running, client, { person, scope: 'status:read events:read' });
    const { body } = await tokenRequest(running, client, form);
    const pending = await grantCode(running, client, { person, scope: 'status:read' });
    expect([await statusOf(other, body.access_token), await statusOf(running, body.access_token)]).toEqual([
      200, 200,
    ]);

    await change({ tenant, accountId: person.accountId, client });
    expect([await statusOf(other, body.access_token), await statusOf(running, body.access_token)]).toEqual([
      401, 401,
    ]);
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    for (const late of [refresh, pending]) {
      const { status } = await tokenRequest(other, client, late);
      expect([400, 401]).toContain(status);
    }
  } finally {
    await node?.stop();
  }
});

test('a grant that begins while its member is removed does not outlive the membership', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await createPerson(running, { role: 'analyst' });
    const client = await createClient(running, APP);
    const remove = call('DELETE', () => `/members/${person.accountId}`);
    const [code] = await Promise.allSettled([
      grantCode(running, client, { person, scope: 'status:read' }).then((form) =>
        tokenRequest(running, client, form),
      ),
      new Promise((resolve) => setTimeout(resolve, round * 15)).then(() =>
        remove({ tenant: running.tenant, accountId: person.accountId, client }),
      ),
    ]);
    if (code.status === 'fulfilled' && code.value.status === 200) {
      expect(await statusOf(running, code.value.body.access_token)).toBe(401);
    }
  }
});

test('introspection shows tokens of the same tenant only, and none that has ended', async () => {
  const client = await createClient(running, { scopes: ['status:read'] });
  const colleague = await createClient(running, { scopes: ['status:read'] });
  const stranger = await createClient(
    { ...running, tenant: await running.createTenant() },
    { scopes: ['status:read'] },
  );
  const { body } = await tokenRequest(running, client, { grant_type: 'client_credentials' });
  const token = String(body.access_token);
  const look = async (by: OauthTestClient) =>
    (await tokenRequest(running, by, { token }, { endpoint: '/introspect' })).body;
  const shown = {
    active: true,
    client_id: client.clientId,
    scope: 'status:read',
    tenant_id: client.tenantId,
  };
  expect(await look(client)).toMatchObject(shown);
  expect(await look(colleague)).toMatchObject(shown);
  expect(await look(stranger)).toEqual({ active: false });

  // Only its own client revokes it.
  for (const by of [colleague, stranger]) {
    expect((await tokenRequest(running, by, { token }, { endpoint: '/revoke' })).status).toBe(200);
    expect(await statusOf(running, token)).toBe(200);
  }
  await tokenRequest(running, client, { token }, { endpoint: '/revoke' });
  expect(await statusOf(running, token)).toBe(401);
  expect(await look(client)).toEqual({ active: false });
});
