import type { AuditEntry, SignOnSettings } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Statements, startMockProvider } from './testing/mock-provider.ts';
import { newVisitor, roleOf, sessionsOf, setProvider, signOn } from './testing/sign-on-scene.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (started) => started.close() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });
let people = 0;
let email: string;

beforeEach(() => {
  people += 1;
  email = `someone-${people}@example.com`;
});

const set = (settings: Partial<SignOnSettings> = {}) =>
  setProvider(service, tenant, {
    ...{ issuer: provider.issuer, create_members: true, role_claim: 'groups' },
    ...{ role_map: [{ value: 'soc', role: 'analyst' }], ...settings },
  });

/** Signs the person in, of whom the provider says this. */
function enter(claims: object, userinfo?: Statements['userinfo']) {
  const idToken = { sub: `subject-${people}`, email, email_verified: true, ...claims };
  provider.say({ idToken, ...(userinfo && { userinfo }) });
  return signOn(newVisitor(service, provider.issuer), { tenantId: tenant.tenantId });
}

const role = () => roleOf(service, tenant.tenantId, email);
const countSessions = async () => (await sessionsOf(service, email)).length;

/** The newest entry of the audit log with this action. */
async function findEntry(action: string): Promise<AuditEntry | undefined> {
  const query = new URLSearchParams({ action });
  const { credential } = tenant;
  const { body } = await service.client.send('GET', `/audit?${query}`, { credential });
  return (body as { data: AuditEntry[] }).data[0];
}

/** An invitation that the person has created, as an analyst cannot: to see whether it ends with the role. */
async function createInvitation(): Promise<() => Promise<boolean>> {
  const { database } = service.service;
  const [{ account_id: accountId } = { account_id: '' }] = await sessionsOf(service, email);
  const body = { role: 'viewer' };
  const made = await service.client.send('POST', '/invitations', { credential: tenant.credential, body });
  const { invitation_id: id } = made.body as { invitation_id: string };
  await database.transaction((tx) =>
    tx.db.updateTable('holdings').set({ owner_id: accountId }).where('holding_id', '=', id).execute(),
  );
  return async () => {
    const find = database.read.db.selectFrom('invitations').select('revoked_at');
    return (await find.where('invitation_id', '=', id).executeTakeFirstOrThrow()).revoked_at !== null;
  };
}

const OVERAGE = {
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://graph.microsoft.com/v1.0/users/1/getMemberObjects' } },
};

describe('the sign-in of a member is refused and nothing is taken away, if the claim', () => {
  test.each<[string, object, string]>([
    ['is absent', {}, 'role_claim_missing'],
    ['is null', { groups: null }, 'role_claim_missing'],
    ['is an empty text', { groups: '' }, 'role_claim_missing'],
    ['is at another place', OVERAGE, 'role_claim_incomplete'],
    ['is at another place and there is a part of it', { ...OVERAGE, groups: [] }, 'role_claim_incomplete'],
    ['is replaced by hasgroups', { hasgroups: true }, 'role_claim_incomplete'],
    ['is replaced by groups:src1', { 'groups:src1': { endpoint: 'x' } }, 'role_claim_incomplete'],
    ['is a number', { groups: 7 }, 'role_claim_invalid'],
    ['is false', { groups: false }, 'role_claim_invalid'],
    ['is an object', { groups: { soc: true } }, 'role_claim_invalid'],
    ['lists objects', { groups: [{ name: 'soc' }] }, 'role_claim_invalid'],
    ['lists a text and a number', { groups: ['staff', 7] }, 'role_claim_invalid'],
    ['lists null', { groups: [null] }, 'role_claim_invalid'],
  ])('%s', async (_what, claims, reason) => {
    await set();
    await enter({ groups: ['soc'] });
    const isRevoked = await createInvitation();
    const page = await enter(claims);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Your access has not changed')]);
    expect([await role(), await countSessions(), await isRevoked()]).toEqual(['analyst', 1, false]);
    const entry = await findEntry('sign_on.refused');
    expect(entry).toMatchObject({ outcome: 'denied', fields: { reason, role_claim: 'groups' } });
    expect(entry?.detail).toContain('groups');
    expect(service.log()).toContain(JSON.stringify(entry?.detail));
    // The provider sends the claim again.
    await enter({ groups: ['soc'] });
    expect(await countSessions()).toBe(2);
  });
});

describe('a membership ends with the next sign-in, if the claim', () => {
  test.each([
    ['is an empty list', { groups: [] }],
    ['lists other values', { groups: ['staff'] }],
    ['is another text', { groups: 'staff' }],
    ['lists an empty text', { groups: [''] }],
  ])('%s', async (_what, claims) => {
    await set();
    await enter({ groups: 'soc' });
    const isRevoked = await createInvitation();
    expect((await enter(claims)).text).toContain('has not given you access');
    expect([await role(), await isRevoked()]).toEqual([undefined, true]);
  });
});

test('a sign-in requests the scopes with which the provider sends the claim', async () => {
  await set();
  await enter({ groups: ['soc'] });
  expect(provider.scopes).toBe('openid email profile');
  await set({ extra_scopes: ['groups', 'email'] });
  await enter({ groups: ['soc'] });
  expect(provider.scopes).toBe('openid email profile groups');
});

test('a claim whose name only begins like a reference to another place counts', async () => {
  await set();
  await enter({
    groups: ['soc'],
    'groups:source': 'ldap',
    hasgroups: false,
    _claim_names: { address: 'src1' },
  });
  expect(await role()).toBe('analyst');
});

test('each of 2000 values of the claim counts', async () => {
  await set();
  const groups = [...Array.from({ length: 2000 }, (_, at) => `group-${at}`), 'soc'];
  await enter({ groups });
  expect(await role()).toBe('analyst');
});

test('a claim of the userinfo endpoint counts where the ID token has none', async () => {
  await set();
  await enter({}, { groups: ['soc'] });
  await enter({ groups: null }, { groups: ['soc'] });
  expect([await role(), await countSessions()]).toEqual(['analyst', 2]);
  expect((await enter({}, { groups: [] })).status).toBe(403);
  expect(await role()).toBeUndefined();
});

test('a claim of the ID token counts if the userinfo endpoint returns null', async () => {
  await set();
  await enter({ groups: ['soc'], email_verified: undefined }, { email, email_verified: true, groups: null });
  expect(await role()).toBe('analyst');
});

test.each([
  ['fails', 500],
  ['refuses the token', 401],
])('a userinfo endpoint that %s takes nothing away', async (_what, statusCode) => {
  await set();
  await enter({ groups: ['soc'] });
  provider.failUserinfo(statusCode);
  expect((await enter({})).status).toBe(502);
  expect(await role()).toBe('analyst');
});

describe('an absent claim', () => {
  beforeEach(() => set({ default_role: 'viewer' }));

  test('gives a new person the default role, with which they sign in again', async () => {
    await enter({});
    await enter({});
    expect([await role(), await countSessions()]).toEqual(['viewer', 2]);
  });

  test('leaves a higher role in place, and does not let it be used', async () => {
    await enter({ groups: ['soc'] });
    expect((await enter({})).status).toBe(403);
    expect([await role(), await countSessions()]).toEqual(['analyst', 1]);
    await enter({ groups: [] });
    expect(await role()).toBe('viewer');
  });

  test('leaves a lower role in place', async () => {
    await set({ default_role: 'admin', role_map: [{ value: 'soc', role: 'analyst' }] });
    await enter({ groups: ['soc'] });
    await enter({});
    expect([await role(), await countSessions()]).toEqual(['analyst', 2]);
  });

  test('does not lock the last admin out', async () => {
    await set({ role_map: [{ value: 'soc', role: 'admin' }] });
    await enter({ groups: ['soc'] });
    await enter({});
    expect([await role(), await countSessions()]).toEqual(['admin', 2]);
    expect(await findEntry('sign_on.role_kept')).toBeDefined();
    await createPerson(service, { tenantId: tenant.tenantId, role: 'admin' });
    expect((await enter({})).status).toBe(403);
    expect(await role()).toBe('admin');
  });

  test.each(['analyst', 'admin'] as const)('does not take over the account of an %s', async (held) => {
    const { accountId } = await createPerson(service, { tenantId: tenant.tenantId, role: held, email });
    expect((await enter({})).status).toBe(403);
    const { password_hash: hash } = await service.service.database.read.db
      .selectFrom('accounts')
      .select('password_hash')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    expect(hash).not.toBeNull();
  });
});

test('a new person without the claim is refused with the reason, and no account is created', async () => {
  await set();
  expect((await enter({})).status).toBe(403);
  expect((await findEntry('sign_on.refused'))?.fields).toMatchObject({ reason: 'role_claim_missing' });
  expect(await findEntry('account.create')).toBeUndefined();
});

test('a claim without a map decides nothing, as settings of older versions may have it', async () => {
  await set();
  expect((await enter({ groups: ['soc'] })).status).toBe(200);
  const isRevoked = await createInvitation();
  const { tenantId } = tenant;
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('sign_on_providers')
      .set({ role_map: '[]' })
      .where('tenant_id', '=', tenantId)
      .execute(),
  );
  expect((await enter({ groups: ['soc'] })).status).toBe(200);
  expect(await role()).toBe('analyst');
  expect(await isRevoked()).toBe(false);
});

test('a member whose value left the map loses the role with the next sign-in, not before', async () => {
  await set();
  await enter({ groups: ['soc'] });
  await set({ role_map: [{ value: 'heads', role: 'admin' }] });
  expect(await role()).toBe('analyst');
  await enter({ groups: ['soc'] });
  expect(await role()).toBeUndefined();
});

const put = (members: object) =>
  service.client.send('PUT', '/sign-on', {
    credential: tenant.credential,
    body: {
      ...{ issuer: provider.issuer, client_id: 'tps', client_secret: 'secret-of-the-test-provider' },
      ...{ allowed_domains: ['example.com'], role_claim: 'groups', ...members },
    },
  });

describe('a role claim', () => {
  test.each([
    ['an empty role map', { role_map: [] }],
    ['no role map', {}],
  ])(
    'with %s and without a default role is refused: it would end every membership',
    async (_what, members) => {
      const answer = await put(members);
      expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_field' } }]);
      expect(answer.text).toContain('role_map');
      expect((await put({ ...members, default_role: 'viewer' })).status).toBe(200);
    },
  );

  test('cannot be used with an empty list of domains', async () => {
    const answer = await put({ allowed_domains: [], default_role: 'viewer' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('allowed_domains')]);
  });
});

describe('the name of a role claim', () => {
  test.each<[string, object]>([
    ['/realm_access/roles', { realm_access: { roles: ['soc'] } }],
    [
      '/resource_access/tps.example.com/roles',
      { resource_access: { 'tps.example.com': { roles: ['soc'] } } },
    ],
    ['/claims/https:~1~1example.com~1roles', { claims: { 'https://example.com/roles': 'soc' } }],
    ['/a~0b~01', { 'a~b~1': 'soc' }],
    ['https://example.com/roles', { 'https://example.com/roles': ['soc'] }],
    ['realm_access.roles', { 'realm_access.roles': ['soc'], realm_access: { roles: [] } }],
    ['custom:groups', { 'custom:groups': 'soc' }],
  ])('%s leads to its values', async (name, claims) => {
    await set({ role_claim: name });
    await enter(claims);
    expect(await role()).toBe('analyst');
  });

  test.each<[string, object]>([
    ['/realm_access/roles', {}],
    ['/realm_access/roles', { realm_access: {} }],
    ['/realm_access/roles', { realm_access: 'roles' }],
    ['/realm_access/roles', { realm_access: null }],
    ['/realm_access/0', { realm_access: ['soc'] }],
    ['/realm_access/roles', { 'realm_access/roles': ['soc'], '/realm_access/roles': ['soc'] }],
    ['/constructor/name', {}],
    ['realm_access.roles', { realm_access: { roles: ['soc'] } }],
  ])('%s finds nothing in %j', async (name, claims) => {
    await set({ role_claim: name, role_map: [{ value: 'soc', role: 'analyst' }, FUNCTION_NAME] });
    expect((await enter(claims)).status).toBe(403);
    const entry = await findEntry('sign_on.refused');
    expect(entry?.fields).toMatchObject({ reason: 'role_claim_missing', role_claim: name });
  });

  test('with dots is not a path: the audit log shows how to write one', async () => {
    await set({ role_claim: 'realm_access.roles' });
    await enter({ realm_access: { roles: ['soc'] } });
    expect((await findEntry('sign_on.refused'))?.detail).toContain('set the claim /realm_access/roles');
  });

  test('finds a claim of the userinfo endpoint if the ID token has only a part of the path', async () => {
    await set({ role_claim: '/realm_access/roles' });
    await enter({ realm_access: {} }, { realm_access: { roles: ['soc'] } });
    expect(await role()).toBe('analyst');
  });

  test('is refused if its first step is a reference to another place', async () => {
    await set({ role_claim: '/realm_access/roles', default_role: 'viewer' });
    await enter({ _claim_names: { realm_access: 'src1' } });
    expect((await findEntry('sign_on.refused'))?.fields).toMatchObject({ reason: 'role_claim_incomplete' });
  });

  test.each([[['']], [['a b']], [['a"b']], [['a', 'a']], [Array.from({ length: 11 }, (_, at) => `s${at}`)]])(
    'with the scopes %j is refused',
    async (scopes) => {
      const answer = await put({ extra_scopes: scopes, default_role: 'viewer' });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('extra_scopes')]);
    },
  );

  test.each(['/', '//roles', '/roles/', '/a~', '/a~2'])('%s is refused', async (name) => {
    const answer = await put({ role_claim: name, default_role: 'viewer' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('role_claim')]);
  });
});

/** What a lookup through the prototype of an object would find. */
const FUNCTION_NAME = { value: 'Object', role: 'admin' } as const;
