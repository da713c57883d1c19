import { signIn } from '@tps/testing/browser';
import { exchangeSession, startSession } from '@tps/testing/console';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { startMockProvider } from './testing/mock-provider.ts';
import {
  answerProvider,
  auditOf,
  comeBack,
  newVisitor,
  openConsole,
  roleOf,
  sessionsOf,
  setProvider,
  signOn,
  visitProvider,
} from './testing/sign-on-scene.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ env: WEBHOOK_ENV, clock });
const provider = useFixture(
  () =>
    startIdentityProvider({
      redirectUri: `${service.baseUrl}/auth/sign-on/callback`,
      hasFullTokens: true,
    }),
  { close: (server) => server.close() },
);
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });
let people = 0;

/** Someone new at the provider. */
function newPerson(claims: object = {}) {
  people += 1;
  const person = {
    sub: `subject-${people}`,
    email: `someone-${people}@example.com`,
    email_verified: true,
    name: `Someone ${people}`,
    ...claims,
  };
  provider.setPerson(person);
  return person;
}

const set = (settings: object = {}) =>
  setProvider(service, tenant, { issuer: provider.issuer, create_members: true, ...settings });
const visitor = () => newVisitor(service, provider.issuer);
const enter = (who = visitor()) => signOn(who, { tenantId: tenant.tenantId });

describe('a person whom the provider confirms', () => {
  test('becomes a member with the role of the claim, and is signed in to this tenant only', async () => {
    await set({ role_claim: 'groups', role_map: [{ value: 'soc', role: 'analyst' }] });
    const { email } = newPerson({ groups: ['staff', 'soc'] });
    const page = await signOn(visitor(), { tenantId: tenant.tenantId, returnTo: '/auth/logout' });
    expect([page.url.pathname, page.title]).toEqual(['/auth/logout', expect.stringContaining('Sign out')]);
    const [session] = await sessionsOf(service, email);
    expect(session).toMatchObject({ methods: '["sso"]', tenant_id: tenant.tenantId });
    expect(await roleOf(service, tenant.tenantId, email)).toBe('analyst');
    expect(await auditOf(service, tenant.tenantId)).toEqual([
      'sign_on.create',
      'account.create',
      'member.create',
      'sign_on.link',
      'account.login',
    ]);
  });

  test('is found by the domain of the address, regardless of whether an account exists', async () => {
    await set({ default_role: 'viewer', allowed_domains: ['found.example'] });
    newPerson({ email: 'ann@found.example' });
    const { here, there } = visitor();
    const form = await here.open('/auth/sign-on/start');
    const start = await here.submit(form, { email: 'Other@FOUND.example' });
    const callback = await answerProvider(there, await here.submit(start, {}, { button: 'Continue' }));
    await comeBack({ here, there }, callback);
    expect(await roleOf(service, tenant.tenantId, 'ann@found.example')).toBe('viewer');
    const unknown = await here.submit(await here.open('/auth/sign-on/start'), {
      email: 'a@elsewhere.example',
    });
    expect([unknown.status, unknown.leftTo]).toEqual([404, undefined]);
  });

  test('has one account, however often they sign in, even under a new address', async () => {
    await set({ default_role: 'viewer' });
    const person = newPerson();
    await enter();
    provider.setPerson({ ...person, email: 'renamed@example.com' });
    await enter();
    expect(await sessionsOf(service, person.email)).toHaveLength(2);
    expect(await sessionsOf(service, 'renamed@example.com')).toEqual([]);
  });

  test('gets the role that the claim has now, and loses the membership with the last one', async () => {
    const roles = {
      role_claim: 'groups',
      role_map: [
        { value: 'soc', role: 'analyst' },
        { value: 'boss', role: 'admin' },
      ],
    };
    await set(roles);
    const person = newPerson({ groups: 'soc' });
    await enter();
    provider.setPerson({ ...person, groups: ['soc', 'boss'] });
    await enter();
    expect(await roleOf(service, tenant.tenantId, person.email)).toBe('admin');
    // The last admin stays one: otherwise no one could undo a mistake at the provider.
    provider.setPerson({ ...person, groups: [] });
    await enter();
    expect(await roleOf(service, tenant.tenantId, person.email)).toBe('admin');
    await createPerson(service, { tenantId: tenant.tenantId, role: 'admin' });
    const page = await enter();
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('has not given you access')]);
    expect(await roleOf(service, tenant.tenantId, person.email)).toBeUndefined();
    expect((await auditOf(service, tenant.tenantId)).filter((one) => one.startsWith('member.'))).toEqual([
      'member.create',
      'member.update',
      'member.remove',
    ]);
  });
});

test('a provider that gives the claims at its userinfo endpoint only is understood', async () => {
  const redirectUri = `${service.baseUrl}/auth/sign-on/callback`;
  const sparse = await startIdentityProvider({ redirectUri, hasFullTokens: false });
  onTestFinished(sparse.close);
  const { issuer } = sparse;
  await set({ issuer, role_claim: 'groups', role_map: [{ value: 'soc', role: 'analyst' }] });
  const person = newPerson({ groups: ['soc'] });
  sparse.setPerson(person);
  await signOn(newVisitor(service, issuer), { tenantId: tenant.tenantId });
  expect(await roleOf(service, tenant.tenantId, person.email)).toBe('analyst');
});

describe('a person cannot sign in', () => {
  test.each([
    ['without a role', { default_role: null }, {}, 'has not given you access'],
    [
      'without an invitation',
      { default_role: 'viewer', create_members: false },
      {},
      'has not given you access',
    ],
    ['of another domain', { default_role: 'viewer' }, { email: 'x@sub.example.com' }, 'not in a domain'],
    ['without a verified address', { default_role: 'viewer' }, { email_verified: 'no' }, 'not verified'],
  ])('%s', async (_what, settings, claims, text) => {
    await set(settings);
    const { email } = newPerson(claims);
    const page = await enter();
    expect([page.status, page.text]).toEqual([403, expect.stringContaining(text)]);
    expect(await sessionsOf(service, email)).toEqual([]);
    expect((await auditOf(service, tenant.tenantId)).at(-1)).toBe('sign_on.refused');
  });

  test('whose account was disabled', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    await enter();
    await service.service.database.transaction((tx) =>
      tx.db.updateTable('accounts').set({ disabled_at: 1 }).where('email_key', '=', email).execute(),
    );
    expect((await enter()).status).toBe(403);
    expect(await sessionsOf(service, email)).toHaveLength(1);
  });
});

describe('an existing account with the same address', () => {
  test('keeps its password and its role', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const person = await createPerson(service, { tenantId: tenant.tenantId, role: 'analyst', email });
    const who = visitor();
    await signIn(who.here, person);
    await enter(who);
    await signIn(visitor().here, person);
    const methods = (await sessionsOf(service, email)).map((session) => session.methods);
    expect(methods.toSorted()).toEqual(['["password"]', '["sso"]']);
    expect(await roleOf(service, tenant.tenantId, email)).toBe('analyst');
  });

  test('that someone else created has no known browser of the creator, and none of the provider', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const maker = await createPerson(service, {
      ...{ tenantId: tenant.tenantId, email },
      isEmailVerified: false,
    });
    const [makers, persons] = [visitor(), visitor()];
    await signIn(makers.here, maker);
    await signIn(persons.here, maker);
    await enter(persons);
    await persons.here.submit(await persons.here.open('/auth/logout'));
    const guess = { email, password: 'a wrong password' };
    for (let times = 0; times < 5; times += 1) await signIn(visitor().here, guess);
    expect((await signIn(makers.here, guess)).status).toBe(429);
    expect((await signIn(persons.here, guess)).status).toBe(429);
  });

  test.each<[string, ('here' | 'elsewhere')[]]>([
    ['of this tenant only', ['here']],
    ['of another tenant only', ['elsewhere']],
    ['of this tenant and another one', ['elsewhere', 'here']],
  ])('%s is used after its person has signed in to it', async (_what, tenants) => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const other = await service.createTenant();
    const first = tenants.includes('elsewhere') ? other : tenant;
    const person = await createPerson(service, { tenantId: first.tenantId, role: 'admin', email });
    if (tenants.length > 1) await addMember(person.accountId);
    const who = visitor();
    const refused = await enter(who);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('has an account already')]);
    expect(await sessionsOf(service, email)).toEqual([]);

    // Someone else's session does not count, nor does an old one.
    const stranger = await createPerson(service, { tenantId: other.tenantId });
    await signIn(who.here, stranger);
    expect((await enter(who)).status).toBe(403);
    const late = visitor();
    await signIn(late.here, person);
    clock.advance(11 * 60_000);
    expect((await enter(late)).status).toBe(403);

    const owner = visitor();
    await signIn(owner.here, person);
    await enter(owner);
    const last = (await sessionsOf(service, email)).at(-1);
    expect(last).toMatchObject({ account_id: person.accountId, tenant_id: tenant.tenantId });
    // From now on, the provider is enough, for this tenant.
    await enter();
    expect((await sessionsOf(service, email)).at(-1)).toMatchObject({ tenant_id: tenant.tenantId });
  });

  async function addMember(accountId: string): Promise<void> {
    const row = { tenant_id: tenant.tenantId, account_id: accountId, role: 'viewer', created_by: 'test' };
    await service.service.database.transaction((tx) =>
      tx.insertMany('memberships', [{ ...row, created_at: 1 }]),
    );
  }
});

describe('to confirm who they are', () => {
  test('a person signs in at the provider again, even if they are signed in there', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const who = visitor();
    await enter(who);
    const before = (await sessionsOf(service, email))[0];
    const { logins } = provider;
    clock.set(Date.now() + 1000);
    const page = await who.here.open('/auth/confirm?return_to=/auth/logout');
    const left = await who.here.submit(page, { confirm: 'yes' });
    const done = await comeBack(who, await answerProvider(who.there, left));
    expect([done.url.pathname, provider.logins]).toEqual(['/auth/logout', logins + 1]);
    const [after, ...others] = await sessionsOf(service, email);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ methods: '["sso"]', tenant_id: tenant.tenantId });
    expect(after?.session_hash).not.toBe(before?.session_hash);
  });

  test.each([
    [['staff'], 200, 'viewer'],
    [[], 403, undefined],
  ])('the provider decides the role again: groups %j', async (groups, status, role) => {
    await createPerson(service, { tenantId: tenant.tenantId, role: 'admin' });
    const roles = [
      { value: 'boss', role: 'admin' },
      { value: 'staff', role: 'viewer' },
    ] as const;
    await set({ role_claim: 'groups', role_map: [...roles] });
    const person = newPerson({ groups: ['boss'] });
    const who = visitor();
    await enter(who);
    const opened = await openConsole(service, who.here);
    provider.setPerson({ ...person, groups });
    clock.set(Date.now() + 1000);
    const left = await who.here.submit(await who.here.open('/auth/confirm?return_to=/auth/account'), {
      confirm: 'yes',
    });
    const page = await comeBack(who, await answerProvider(who.there, left));
    expect(page.status).toBe(status);
    expect(await roleOf(service, tenant.tenantId, person.email)).toBe(role);
    const credential = opened.body.access_token;
    expect((await service.client.send('GET', '/members', { credential })).status).toBe(401);
  });

  test('another person of the provider is not enough', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const who = visitor();
    await enter(who);
    const before = await sessionsOf(service, email);
    newPerson();
    await enter();
    const left = await who.here.submit(await who.here.open('/auth/confirm'), { confirm: 'yes' });
    const page = await comeBack(who, await answerProvider(visitor().there, left));
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining('is not the one who is signed in here'),
    ]);
    expect(await sessionsOf(service, email)).toEqual(before);
  });
});

describe('a session of single sign-on', () => {
  test('cannot change the account, which may have other tenants, and shows none of these', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const other = await service.createTenant();
    const person = await createPerson(service, { tenantId: tenant.tenantId, email });
    const { password } = person;
    const who = visitor();
    await signIn(who.here, person);
    await enter(who);
    const [session] = await sessionsOf(service, email);
    const membership = { tenant_id: other.tenantId, account_id: session?.account_id ?? '' };
    await service.service.database.transaction((tx) =>
      tx.insertMany('memberships', [{ ...membership, role: 'admin', created_by: 'test', created_at: 1 }]),
    );
    const pages = ['password', 'second-factor', 'passkeys', 'sessions', 'export', 'delete'];
    for (const name of pages) {
      const page = await who.here.open(`/auth/account/${name}`);
      expect([name, page.status, page.title]).toEqual([name, 403, expect.stringContaining('another way')]);
    }
    const account = await who.here.open('/auth/account');
    expect([account.status, account.html.includes(other.tenantId)]).toEqual([200, false]);
    // A password that the person proves within it does not widen it.
    await who.here.submit(await who.here.open('/auth/confirm'), { password });
    expect(await sessionsOf(service, email)).toMatchObject([{ tenant_id: tenant.tenantId }]);
  });

  test('ends with the account, like the link to the provider', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    const person = await createPerson(service, { tenantId: tenant.tenantId, email });
    const who = visitor();
    await signIn(who.here, person);
    await enter(who);
    const { here } = visitor();
    await signIn(here, person);
    await here.submit(await here.open('/auth/account/delete'), { email });
    expect(await sessionsOf(service, email)).toEqual([]);
    const identities = service.service.database.read.db.selectFrom('sign_on_identities').select('subject');
    expect(await identities.where('account_id', '=', person.accountId).execute()).toEqual([]);
  });
});

describe('the end of single sign-on', () => {
  test('ends its sessions, and what was begun leads nowhere', async () => {
    await set({ default_role: 'viewer' });
    const { email } = newPerson();
    await enter();
    const who = visitor();
    const callback = await visitProvider(who, { tenantId: tenant.tenantId });
    await service.client.send('DELETE', '/sign-on', { credential: tenant.credential });
    expect((await comeBack(who, callback)).status).toBe(403);
    expect(await sessionsOf(service, email)).toEqual([]);
    expect((await who.here.open(`/auth/sign-on/start?tenant=${tenant.tenantId}`)).status).toBe(404);
  });

  test('by another provider also ends the session of the admin who sets it', async () => {
    await set();
    const { tenantId } = tenant;
    const admin = await createPerson(service, { tenantId, role: 'admin' });
    const session = { accountId: admin.accountId, tenantId: tenantId as TenantId, nowMs: clock.now() };
    const { body } = await exchangeSession(service, await startSession(service, session));
    const credential = body.access_token;
    const other = await startMockProvider();
    onTestFinished(other.close);
    await setProvider(service, { ...tenant, credential }, { issuer: other.issuer });
    expect(await sessionsOf(service, admin.email)).toEqual([]);
    const settings = await service.client.send('GET', '/sign-on', { credential: tenant.credential });
    expect(settings.body).toMatchObject({ issuer: other.issuer });
    expect((await service.client.send('GET', '/sign-on', { credential })).status).toBe(401);
  });
});
