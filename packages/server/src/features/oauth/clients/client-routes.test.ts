import { generateKeyPairSync, hash } from 'node:crypto';
import type { CreatedOAuthClient, OAuthClient } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

function send(method: string, path: string, body?: object, credential = tenant.credential) {
  return service.client.send(method, path, { credential, ...(body === undefined ? {} : { body }) });
}

const MACHINE = { name: 'machine', grant_types: ['client_credentials'], scopes: ['status:read'] };
const WEB = {
  name: 'web',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['https://app.example.com/callback?one=1', 'http://127.0.0.1/callback'],
  scopes: ['status:read', 'events:read'],
};

async function create(members: object = MACHINE, credential = tenant.credential) {
  const answer = await send('POST', '/oauth-clients', members, credential);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedOAuthClient;
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body, answer.text).toMatchObject({ error: { status, code } });
}

async function auditActions(clientId: string): Promise<string[]> {
  const { db } = service.service.database.read;
  const entries = db
    .selectFrom('audit_entries')
    .select('action')
    .where('resource_id', '=', clientId)
    .orderBy('position');
  return (await entries.execute()).map(({ action }) => action);
}

/** Stores an access token of the client, as the authorization server does. */
async function giveToken(clientId: string): Promise<string> {
  const credential = await service.createCredential(tenant.tenantId, ['status:read'], Date.now() + 3_600_000);
  const { db } = service.service.database.read;
  const { token_id: tokenId } = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('token_hash', '=', hash('sha256', credential))
    .executeTakeFirstOrThrow();
  await service.service.database.transaction(async (tx) => {
    await tx.db.updateTable('tokens').set({ client_id: clientId }).where('token_id', '=', tokenId).execute();
    await tx.db
      .insertInto('oauth_records')
      .values({
        tenant_id: tenant.tenantId,
        record_hash: tokenId,
        model: 'Grant',
        payload: '{}',
        grant_id: null,
        uid: null,
        user_code_hash: null,
        client_id: clientId,
        account_id: null,
        created_at: 0,
        expires_at: Date.now() + 3_600_000,
        consumed_at: null,
      })
      .execute();
  });
  return credential;
}

async function countRecords(clientId: string): Promise<number> {
  const { db } = service.service.database.read;
  const records = db.selectFrom('oauth_records').select('record_hash').where('client_id', '=', clientId);
  // What has ended waits for the upkeep.
  return (await records.where('expires_at', '>', Date.now()).execute()).length;
}

const statusWith = async (credential: string) => (await send('GET', '/status', undefined, credential)).status;

test('a client is created with a secret that is shown once and stored as a hash', async () => {
  const answer = await send('POST', '/oauth-clients', { ...WEB, uri: 'https://app.example.com' });
  const made = answer.body as CreatedOAuthClient;
  expect(made.client_secret).toMatch(/^svc_cs_[0-9A-Za-z]{39}$/);
  expect(answer.headers.get('location')).toBe(`/oauth-clients/${made.client_id}`);
  const { client_secret: secret = '', ...metadata } = made;
  expect(metadata).toMatchObject({
    ...WEB,
    uri: 'https://app.example.com',
    token_endpoint_auth_method: 'client_secret_post',
    secret_hint: `svc_cs_…${secret.slice(-4)}`,
    refresh_grace_s: 0,
    jwks: null,
    last_used_at: null,
  });
  expect((await send('GET', `/oauth-clients/${made.client_id}`)).body).toEqual(metadata);
  const { data } = (await send('GET', '/oauth-clients?limit=1')).body as { data: OAuthClient[] };
  expect(data).toEqual([metadata]);
  const { db } = service.service.database.read;
  const rows = await db.selectFrom('oauth_clients').selectAll().execute();
  const entries = await db.selectFrom('audit_entries').selectAll().execute();
  expect(JSON.stringify([rows, entries])).not.toContain(secret);
  expect(await auditActions(made.client_id)).toEqual(['oauth_client.create']);
});

test('a repeat with the same Idempotency-Key returns the client without its secret', async () => {
  const headers = { 'idempotency-key': 'client-1' };
  const post = () =>
    service.client.send('POST', '/oauth-clients', { credential: tenant.credential, body: MACHINE, headers });
  const [first, second] = [await post(), await post()].map(({ body }) => body as CreatedOAuthClient);
  expect(first?.client_secret).toBeDefined();
  expect(second).toEqual({ ...first, client_secret: undefined });
});

const rsa = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = pair.publicKey.export({ format: 'jwk' });
const WITH_KEY = {
  ...MACHINE,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...publicKey, kid: 'one', use: 'sig', alg: 'ES256' }] },
};

test('public clients and clients with a key have no secret, and none can be set', async () => {
  const native = {
    ...WEB,
    redirect_uris: ['com.example.app:/callback', 'http://[::1]:8123/'],
    token_endpoint_auth_method: 'none',
  };
  for (const members of [native, WITH_KEY]) {
    const made = await create(members);
    expect(made).toMatchObject({ ...members, secret_hint: null });
    expect(made).not.toHaveProperty('client_secret');
    const rotated = await send('POST', `/oauth-clients/${made.client_id}/rotate-secret`, {});
    expectRefusal(rotated, 422, 'invalid_state_transition');
  }
});

const withUri = (uri: string, more: object = {}) => ({ ...WEB, redirect_uris: [uri], ...more });
const NONE = { token_endpoint_auth_method: 'none' };

test.each([
  ['http on a network', withUri('http://app.example.com/'), 'redirect_uris[0]'],
  ['localhost', withUri('http://localhost:8080/'), 'redirect_uris[0]'],
  ['https on this machine', withUri('https://127.0.0.1/'), 'redirect_uris[0]'],
  ...[
    ...['localhost.', 'LOCALHOST', 'app.localhost', 'app.localhost.', '127.1', '127.0.0.1.', '127.9.9.9'],
    ...['0', '0.0.0.0', '0x7f.1', '2130706433', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0:0]'],
  ].map((host): [string, object, string] => [
    `https on this machine as ${host}`,
    withUri(`https://${host}/cb`),
    'redirect_uris[0]',
  ]),
  ...['127.1', 'LOCALHOST', '127.0.0.1.', '0x7f.1', '[::ffff:127.0.0.1]', '[0::1]'].map(
    (host): [string, object, string] => [
      `loopback spelled ${host}`,
      withUri(`http://${host}/cb`),
      'redirect_uris[0]',
    ],
  ),
  ['a home page on this machine', { ...WEB, uri: 'https://localhost./' }, 'uri must begin'],
  ['a loopback look-alike', withUri('http://127.0.0.1.evil.example/'), 'redirect_uris[0]'],
  ['a fragment', withUri('https://app.example.com/#a'), 'fragment'],
  ['an empty fragment', withUri('https://app.example.com/#'), 'fragment'],
  ['a wildcard', withUri('https://*.example.com/'), 'wildcards'],
  ['a user name', withUri('https://good.example@evil.example/'), 'user name'],
  ['an empty user name', withUri('https://@evil.example/'), 'user name'],
  ['a backslash', withUri('https://app.example.com\\@evil.example/'), 'backslashes'],
  ['a line break', withUri('https://app.example.com/\n'), 'white space'],
  ['an unusual host', withUri('https:app.example.com/'), 'redirect_uris[0]'],
  ['a script', withUri('javascript:alert(1)', NONE), 'redirect_uris[0]'],
  ['a script with a dot', withUri('data:text/html,a.b', NONE), 'redirect_uris[0]'],
  ['a private scheme with a secret', withUri('com.example.app:/cb'), 'token_endpoint_auth_method'],
  ['no redirect URI', { ...WEB, redirect_uris: [] }, 'redirect_uris is required'],
  ['a redirect URI without use', { ...MACHINE, redirect_uris: WEB.redirect_uris }, 'redirect_uris requires'],
  ['a public machine', { ...MACHINE, ...NONE }, 'grant_types must not contain client_credentials'],
  ['only refresh', { ...MACHINE, grant_types: ['refresh_token'] }, 'grant_types must contain'],
  ['a grace without refresh', { ...MACHINE, refresh_grace_s: 5 }, 'refresh_grace_s requires'],
  ['a grace beyond 30 s', { ...WEB, refresh_grace_s: 31 }, 'refresh_grace_s'],
  ['a page without TLS', { ...WEB, uri: 'http://app.example.com' }, 'uri must begin'],
  ['keys without use', { ...MACHINE, jwks: WITH_KEY.jwks }, 'jwks requires'],
  ['no key', { ...WITH_KEY, jwks: undefined }, 'jwks is required'],
  [
    'a private key',
    { ...WITH_KEY, jwks: { keys: [pair.privateKey.export({ format: 'jwk' })] } },
    'jwks.keys[0]',
  ],
  [
    'a point off the curve',
    { ...WITH_KEY, jwks: { keys: [{ ...publicKey, y: publicKey.x }] } },
    'jwks.keys[0]',
  ],
  ['a short RSA key', { ...WITH_KEY, jwks: { keys: [rsa(1024)] } }, 'jwks.keys[0] must be'],
  [
    'one kid twice',
    { ...WITH_KEY, jwks: { keys: [...WITH_KEY.jwks.keys, ...WITH_KEY.jwks.keys] } },
    'same kid',
  ],
  ['an unknown grant', { ...MACHINE, grant_types: ['password'] }, 'grant_types'],
  ['an unknown scope', { ...MACHINE, scopes: ['everything'] }, 'scopes'],
])('refuses %s and names the member', async (_what, members, message) => {
  const answer = await send('POST', '/oauth-clients', members);
  expectRefusal(answer, 400, 'invalid_field');
  expect(answer.text).toContain(message);
});

describe('a client cannot exceed its creator', () => {
  test('in scopes, neither when created nor by a change, a rotation or another redirect URI', async () => {
    const strong = await create(WEB);
    const weak = await service.createCredential(tenant.tenantId, ['tokens:write', 'status:read']);
    const path = `/oauth-clients/${strong.client_id}`;
    const attempts = [
      await send('POST', '/oauth-clients', WEB, weak),
      await send('PATCH', path, { redirect_uris: ['https://evil.example/'] }, weak),
      await send('PATCH', path, { scopes: ['status:read', 'jobs:review'] }, weak),
      await send('POST', `${path}/rotate-secret`, {}, weak),
    ];
    for (const answer of attempts) expectRefusal(answer, 403, 'scope_escalation');
    expect(await auditActions(strong.client_id)).toEqual([
      'oauth_client.create',
      ...Array.from({ length: 3 }, () => 'oauth_client.denied'),
    ]);
    expect((await send('GET', path)).body).toMatchObject({ redirect_uris: WEB.redirect_uris });
    const narrowed = await send('PATCH', path, { scopes: ['status:read'] }, weak);
    expect(narrowed.status, narrowed.text).toBe(200);
  });

  test('in time', async () => {
    const brief = await service.createCredential(
      tenant.tenantId,
      ['tokens:write', 'status:read'],
      Date.now() + 60_000,
    );
    expectRefusal(await send('POST', '/oauth-clients', MACHINE, brief), 403, 'scope_escalation');
  });
});

test('a rotated secret is accepted for the overlap; the one before it is not', async () => {
  const made = await create();
  const path = `/oauth-clients/${made.client_id}`;
  const rotated = (await send('POST', `${path}/rotate-secret`, { overlap_s: 60 })).body as CreatedOAuthClient;
  expect(rotated.client_secret).not.toBe(made.client_secret);
  const untilMs = Date.parse(rotated.previous_secret_until ?? '');
  expect(Math.abs(untilMs - Date.now() - 60_000)).toBeLessThan(30_000);
  const { body } = await send('POST', `${path}/rotate-secret`, { overlap_s: 0 });
  expect(body).toMatchObject({ previous_secret_until: null });
  expect(await auditActions(made.client_id)).toEqual([
    'oauth_client.create',
    'oauth_client.rotate_secret',
    'oauth_client.rotate_secret',
  ]);
});

describe('the tokens and grants of a client', () => {
  test.each<[string, object]>([
    ['a scope', { scopes: ['events:read'] }],
    ['a grant type', { grant_types: ['authorization_code'] }],
    ['a redirect URI', { redirect_uris: WEB.redirect_uris.slice(1) }],
  ])('end at once when %s is taken away', async (_what, change) => {
    const { client_id: id } = await create(WEB);
    const token = await giveToken(id);
    expect(await statusWith(token)).toBe(200);
    expect((await send('PATCH', `/oauth-clients/${id}`, change)).body).toMatchObject(change);
    expect(await statusWith(token)).toBe(401);
    expect(await countRecords(id)).toBe(0);
  });

  test('stay when something is added', async () => {
    const { client_id: id } = await create(WEB);
    const token = await giveToken(id);
    const change = {
      name: 'renamed',
      scopes: [...WEB.scopes, 'alerts:read'],
      uri: null,
      refresh_grace_s: 10,
    };
    expect((await send('PATCH', `/oauth-clients/${id}`, change)).body).toMatchObject(change);
    expect(await statusWith(token)).toBe(200);
    expect(await countRecords(id)).toBe(1);
  });

  test('end when it is deleted, and those of another client stay', async () => {
    const { client_id: id } = await create(WEB);
    const { client_id: otherId } = await create(WEB);
    const [token, other] = [await giveToken(id), await giveToken(otherId)];
    expect((await send('DELETE', `/oauth-clients/${id}`)).status).toBe(204);
    expect([await statusWith(token), await statusWith(other)]).toEqual([401, 200]);
    expect([await countRecords(id), await countRecords(otherId)]).toEqual([0, 1]);
    expectRefusal(await send('GET', `/oauth-clients/${id}`), 404, 'not_found');
    expectRefusal(await send('DELETE', `/oauth-clients/${id}`), 404, 'not_found');
    expect(await auditActions(id)).toEqual(['oauth_client.create', 'oauth_client.delete']);
  });
});
