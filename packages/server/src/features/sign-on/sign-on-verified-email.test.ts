import type { AuditEntry, SignOnSettings } from '@tps/contract';
import { signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { beforeEach, describe, expect, test } from 'vitest';
import { startMockProvider } from './testing/mock-provider.ts';
import {
  auditOf,
  comeBack,
  newVisitor,
  roleOf,
  sessionsOf,
  setProvider,
  signOn,
  visitProvider,
} from './testing/sign-on-scene.ts';

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
    ...{ issuer: provider.issuer, create_members: true, default_role: 'viewer', ...settings },
  });
const visitor = () => newVisitor(service, provider.issuer);
const where = () => ({ tenantId: tenant.tenantId });
const say = (claims: object, userinfo: object = {}) =>
  provider.say({ idToken: { sub: `subject-${people}`, email, ...claims }, userinfo: { ...userinfo } });

/** Signs the person in, of whom the provider says this. */
function enter(claims: object, userinfo?: object) {
  say(claims, userinfo);
  return signOn(visitor(), where());
}

async function listEntries(query: string): Promise<AuditEntry[]> {
  const { credential } = tenant;
  const { body } = await service.client.send('GET', `/audit?${query}`, { credential });
  return (body as { data: AuditEntry[] }).data;
}

async function expectRefused(page: Awaited<ReturnType<typeof enter>>): Promise<void> {
  expect([page.status, page.text]).toEqual([403, expect.stringContaining('has not verified')]);
  expect(await sessionsOf(service, email)).toEqual([]);
}

const STATED: [string, object][] = [
  ['email_verified: true', { email_verified: true }],
  ['email_verified: "true"', { email_verified: 'true' }],
  ['xms_edov: true', { xms_edov: true }],
  ['xms_edov: "1"', { xms_edov: '1' }],
];
const SILENT: [string, object][] = [
  ['nothing', {}],
  ['email_verified: null', { email_verified: null }],
  ['email_verified: ""', { email_verified: '' }],
];
const DENIED: [string, object][] = [
  ['email_verified: false', { email_verified: false }],
  ['email_verified: "false"', { email_verified: 'false' }],
  ['email_verified: "no"', { email_verified: 'no' }],
  ['email_verified: 0', { email_verified: 0 }],
  ['email_verified: 1', { email_verified: 1 }],
  ['email_verified: "1"', { email_verified: '1' }],
  ['email_verified: {}', { email_verified: {} }],
  ['xms_edov: false', { xms_edov: false }],
  ['email_verified: false, xms_edov: true', { email_verified: false, xms_edov: true }],
];

describe('an address counts as verified', () => {
  test.each(STATED)('if the provider sends %s', async (_what, claims) => {
    await set();
    await enter(claims);
    expect(await sessionsOf(service, email)).toHaveLength(1);
  });

  test.each(SILENT)('if the provider sends %s and the tenant trusts its addresses', async (_what, claims) => {
    await set({ trust_email: true });
    await enter(claims);
    expect(await sessionsOf(service, email)).toHaveLength(1);
  });

  test('if the userinfo endpoint alone says so, as a text', async () => {
    await set();
    await enter({}, { email, email_verified: 'true' });
    expect(await sessionsOf(service, email)).toHaveLength(1);
  });

  test('if the ID token says so of the address that the userinfo endpoint repeats', async () => {
    await set({ role_claim: 'groups' });
    await enter({ xms_edov: true }, { email: email.toUpperCase() });
    expect(await sessionsOf(service, email)).toHaveLength(1);
  });
});

describe('an address is not verified', () => {
  test.each([...SILENT, ...DENIED])('if the provider sends %s', async (_what, claims) => {
    await set();
    await expectRefused(await enter(claims));
    const [entry] = await listEntries('action=sign_on.refused');
    expect([entry?.fields.reason, entry?.detail]).toEqual([
      'email_not_verified',
      expect.stringContaining('trust_email'),
    ]);
  });

  describe.each([
    ['does not trust', false],
    ['trusts', true],
  ])('where the tenant %s the addresses of the provider', (_which, trust) => {
    beforeEach(() => set({ trust_email: trust, role_claim: 'groups' }));

    test.each(DENIED)('if the provider sends %s', async (_what, claims) => {
      await expectRefused(await enter(claims));
    });

    test('if the ID token denies it and the userinfo endpoint repeats the address only', async () => {
      await expectRefused(await enter({ email_verified: false }, { email }));
    });

    test('if the ID token denies it and the userinfo endpoint affirms it', async () => {
      await expectRefused(await enter({ email_verified: false }, { email, email_verified: true }));
    });

    test('if the userinfo endpoint denies it', async () => {
      await expectRefused(await enter({}, { email_verified: 'false' }));
    });
  });

  test('if the ID token says so of another address', async () => {
    await set({ role_claim: 'groups' });
    const page = await enter({ email: 'other@example.com', email_verified: true }, { email });
    await expectRefused(page);
    expect(await sessionsOf(service, 'other@example.com')).toEqual([]);
  });
});

describe('a tenant that trusts the addresses of its provider', () => {
  beforeEach(() => set({ trust_email: true }));

  test('still admits people of its domains only', async () => {
    email = `someone-${people}@elsewhere.example`;
    expect((await enter({})).text).toContain('not in a domain');
    expect((await enter({ email: undefined })).text).toContain('did not send your e-mail address');
  });

  test.each<[string, boolean]>([
    ['another tenant only', false],
    ['this tenant and another one', true],
  ])('does not open an account of %s', async (_what, isMember) => {
    const other = await service.createTenant();
    const victim = await createPerson(service, { tenantId: other.tenantId, role: 'admin', email });
    if (isMember) await addMember(victim.accountId);
    expect((await enter({})).text).toContain('has an account already');
    expect(await sessionsOf(service, email)).toEqual([]);
    await signIn(visitor().here, victim);
    expect(await sessionsOf(service, email)).toMatchObject([{ tenant_id: null }]);
    expect(await auditOf(service, other.tenantId)).not.toContain('sign_on.link');
  });

  test('does not open an account of several tenants for a second person with its address', async () => {
    const other = await service.createTenant();
    const victim = await createPerson(service, { tenantId: other.tenantId, role: 'admin', email });
    const owner = visitor();
    await signIn(owner.here, victim);
    say({});
    await signOn(owner, where());
    const before = await sessionsOf(service, email);
    expect(before.map((session) => session.tenant_id)).toEqual([tenant.tenantId]);
    const page = await enter({ sub: 'another person' });
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('has an account already')]);
    expect(await sessionsOf(service, email)).toEqual(before);
    expect(await roleOf(service, other.tenantId, email)).toBe('admin');
  });

  test('gets a session for itself only, which cannot change the account', async () => {
    const who = visitor();
    say({});
    await signOn(who, where());
    expect(await sessionsOf(service, email)).toMatchObject([
      { methods: '["sso"]', tenant_id: tenant.tenantId },
    ]);
    for (const name of ['password', 'passkeys', 'export', 'delete']) {
      expect((await who.here.open(`/auth/account/${name}`)).status).toBe(403);
    }
  });

  test('ends the earlier credentials of accounts of its members, with an audit entry', async () => {
    const before = await createPerson(service, {
      ...{ tenantId: tenant.tenantId, email },
      isEmailVerified: false,
    });
    expect((await enter({})).text).toContain('has an account already');
    const inside = visitor();
    await signIn(inside.here, before);
    say({});
    await signOn(inside, where());
    await signIn(visitor().here, before);
    expect((await sessionsOf(service, email)).map(({ methods }) => methods)).toEqual(['["sso"]']);
    expect(await auditOf(service, tenant.tenantId)).toContain('account.email_verified');
  });

  test('ends each sign-on that began before it stopped', async () => {
    const who = visitor();
    say({});
    const callback = await visitProvider(who, where());
    await set({ trust_email: false });
    expect((await comeBack(who, callback)).text).toContain('took too long');
    expect(await sessionsOf(service, email)).toEqual([]);
  });

  async function addMember(accountId: string): Promise<void> {
    const row = { tenant_id: tenant.tenantId, account_id: accountId, role: 'viewer', created_by: 'test' };
    await service.service.database.transaction((tx) =>
      tx.insertMany('memberships', [{ ...row, created_at: 1 }]),
    );
  }
});

test('the audit log shows when a tenant begins and stops to trust the addresses', async () => {
  await set();
  await set({ trust_email: true });
  await set({ trust_email: true, required: true });
  await set();
  const entries = (await listEntries('resource_type=sign_on')).toReversed();
  const at = `Single sign-on at ${provider.issuer}`;
  expect(entries.map(({ detail, fields }) => [detail, fields.trust_email])).toEqual([
    [at, false],
    [`${at}: its e-mail addresses count as verified from now on`, true],
    [at, true],
    [`${at}: its e-mail addresses no longer count as verified`, false],
  ]);
});

test.each(['a@ex%61mple.com', 'a@example\u3002com', 'a\ud800@example.com'])(
  'the text %j is not an address in the domain example.com',
  async (text) => {
    await set();
    const page = await enter({ email: text, email_verified: true });
    expect(page.status).toBe(403);
    expect(await sessionsOf(service, text)).toEqual([]);
  },
);
