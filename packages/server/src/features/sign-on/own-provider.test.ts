import type { CreatedInvitation, SignOnSettings } from '@tps/contract';
import { FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { useMailServer } from '@tps/testing/mail';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, type TestTenant, testFetch, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import { startMockProvider } from './testing/mock-provider.ts';
import { newVisitor, openConsole, roleOf, sessionsOf, setProvider, signOn } from './testing/sign-on-scene.ts';

const mailServer = useMailServer();
const service = useTestService(() => ({
  env: { ...WEBHOOK_ENV, SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
}));
const provider = useFixture(startMockProvider, { close: (server) => server.close() });

const PASSWORD = 'a password of the owner';
const ACCOUNT_PAGES = ['password', 'passkeys', 'second-factor', 'sessions', 'export', 'delete'];
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to[0] === email);
let owners = 0;

/** The tenant of an admin who controls its provider, and another one, which the owner of the address joins. */
async function openTenants() {
  owners += 1;
  const [theirs, other] = [await service.createTenant(), await service.createTenant()];
  await createPerson({ ...service, tenant: other }, { role: 'admin' });
  return { theirs, other, email: `owner-of-address-${owners}@example.com` };
}

/** Lets the provider claim an address. */
async function claim(tenant: TestTenant, email: string, settings: Partial<SignOnSettings>) {
  const { issuer } = provider;
  await setProvider(service, tenant, { issuer, create_members: true, default_role: 'analyst', ...settings });
  const verified = settings.trust_email ? {} : { email_verified: true };
  provider.say({ idToken: { sub: `subject of ${email}`, email, ...verified } });
}

async function enter({ tenantId }: TestTenant): Promise<FormBrowser> {
  const visitor = newVisitor(service, provider.issuer);
  await signOn(visitor, { tenantId });
  return visitor.here;
}

/** The tenants that a session reaches at the console; the status instead if it does not reach the wanted one. */
async function reach(browser: FormBrowser, wanted?: TestTenant): Promise<string[] | number> {
  const { status, body } = await openConsole(service, browser, wanted);
  return status === 200 ? body.tenants.map(({ id }) => id) : status;
}

async function invite({ credential }: TestTenant, members: object): Promise<string> {
  const answer = await service.client.send('POST', '/invitations', { credential, body: members });
  return (answer.body as CreatedInvitation).link ?? '';
}

/** Waits for the mail to an address that comes after so many others, and returns its link. */
async function mailedLink(email: string, seen: number): Promise<string> {
  await waitUntil(() => mailsTo(email).length > seen);
  return /http\S+/.exec(mailsTo(email)[seen]?.text ?? '')?.[0] ?? '';
}

/** What the owner of the address does: set a password by mail, and join another tenant. */
async function joinAsOwner(email: string, other: TestTenant): Promise<FormBrowser> {
  const owner = new FormBrowser(service.baseUrl);
  await owner.submit(await owner.open('/auth/reset'), { email });
  await owner.submit(await owner.open(await mailedLink(email, 0)), { password: PASSWORD });
  await signIn(owner, { email, password: PASSWORD });
  await invite(other, { role: 'admin', email });
  await owner.submit(await owner.open(await mailedLink(email, 1)), {}, { button: `Join as ${email}` });
  expect(await roleOf(service, other.tenantId, email)).toBe('admin');
  return owner;
}

/** Asks to be let into the other tenant in every way that a session has. */
async function expectOnlyIn(theirs: TestTenant, browser: FormBrowser, other: TestTenant): Promise<void> {
  expect(await reach(browser)).toEqual([theirs.tenantId]);
  expect(await reach(browser, other)).toBe(404);
  for (const page of ACCOUNT_PAGES) {
    expect((await browser.open(`/auth/account/${page}`)).text).toContain('through your organization');
  }
  const page = await browser.open(await invite(other, { role: 'admin' }));
  const fields = Object.fromEntries(page.forms[0]?.fields ?? []);
  const joined = await browser.post('/auth/invitation', { ...fields, action: 'join' });
  expect(joined.status).toBe(403);
  const application = await TestApplication.register({ ...service, tenant: other });
  const asked = await browser.open(application.authorizationUrl({ scope: 'devices:read' }));
  expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('not a member of the tenant')]);
  expect(await offeredToDevice(browser)).not.toContain(other.tenantId);
}

/** The page on which a person lets the command line act, in one of the tenants that the session reaches. */
async function offeredToDevice(browser: FormBrowser): Promise<HtmlPage['html']> {
  const body = new URLSearchParams({ client_id: 'tps-cli', scope: 'devices:read' });
  const asked = await testFetch(`${service.baseUrl}/auth/device/code`, { method: 'POST', body });
  const { user_code = '' } = (await asked.json()) as Record<string, string>;
  return (await browser.submit(await browser.open('/auth/device'), { user_code })).html;
}

describe('an admin whose provider claims the address of another person', () => {
  test.each<[string, Partial<SignOnSettings>]>([
    ['as verified', {}],
    ['without saying that it is verified, which the tenant trusts', { trust_email: true }],
  ])('%s never reaches another tenant of that person', async (_what, settings) => {
    const { theirs, other, email } = await openTenants();
    await claim(theirs, email, settings);
    const before = await enter(theirs);
    await expectOnlyIn(theirs, before, other);

    const owner = await joinAsOwner(email, other);
    expect(await reach(before)).toBe(401);
    const after = await enter(theirs);
    await expectOnlyIn(theirs, after, other);
    // Only the session of the owner reaches both.
    expect(await reach(owner, other)).toEqual(expect.arrayContaining([theirs.tenantId, other.tenantId]));
  });

  test('gets no session at all for an account of another tenant', async () => {
    const { theirs, other, email } = await openTenants();
    await createPerson({ ...service, tenant: other }, { email });
    await claim(theirs, email, { trust_email: true });
    expect(await reach(await enter(theirs))).toBe(401);
    expect(await sessionsOf(service, email)).toEqual([]);
    expect(await roleOf(service, theirs.tenantId, email)).toBeUndefined();
  });

  test('cannot keep the person from joining a tenant that invites them, by requiring the provider', async () => {
    const { theirs, other, email } = await openTenants();
    await claim(theirs, email, { required: true });
    await enter(theirs);
    const owner = new FormBrowser(service.baseUrl);
    await owner.submit(await owner.open('/auth/reset'), { email });
    await owner.submit(await owner.open(await mailedLink(email, 0)), { password: PASSWORD });
    await signIn(owner, { email, password: PASSWORD });
    expect(await reach(owner)).toBe(403);
    await invite(other, { role: 'admin', email });
    await owner.submit(await owner.open(await mailedLink(email, 1)), {}, { button: `Join as ${email}` });
    expect(await roleOf(service, other.tenantId, email)).toBe('admin');
    expect(await reach(owner)).toEqual([other.tenantId]);
    expect(await reach(owner, theirs)).toBe(403);
  });
});

describe('when the provider takes the role of the owner of single sign-on', () => {
  /** A tenant whose provider belongs to a person who signs in with it, and perhaps to another admin too. */
  async function openOwned(more: { isShared: boolean }) {
    const { theirs, email } = await openTenants();
    const map = { role_claim: 'groups', role_map: [{ value: 'heads', role: 'admin' as const }] };
    await claim(theirs, email, { ...map, default_role: 'viewer' });
    const say = (groups: string) =>
      provider.say({ idToken: { sub: `subject of ${email}`, email, email_verified: true, groups } });
    const { accountId: otherId } = await createPerson({ ...service, tenant: theirs }, { role: 'admin' });
    say('heads');
    await enter(theirs);
    const [session] = await sessionsOf(service, email);
    const ownerId = session?.account_id ?? '';
    const key = { tenant_id: theirs.tenantId, kind: 'sign_on', holding_id: theirs.tenantId };
    const owned = { ...key, owned_since: 1 };
    await service.service.database.transaction(async (tx) => {
      const present = more.isShared ? otherId : ownerId;
      await tx.upsertMany(
        'holdings',
        ['tenant_id', 'kind', 'holding_id'],
        [{ ...owned, owner_id: present, via_client_id: null }],
      );
      if (more.isShared)
        await tx.insertMany('earlier_owners', [{ ...owned, owner_id: ownerId, via_client_id: '' }]);
    });
    say('others');
    await enter(theirs);
    expect(await roleOf(service, theirs.tenantId, email)).toBe('viewer');
    const read = async (path: string) => (await service.client.send('GET', path, theirs)).body;
    return {
      otherId,
      incidents: JSON.stringify(await read('/incidents')),
      holdings: await read('/holdings'),
    };
  }

  test('admins see an incident', async () => {
    const { incidents, holdings } = await openOwned({ isShared: false });
    expect(incidents).toContain(`Single sign-on at ${provider.issuer} has no owner any more`);
    expect(holdings).toMatchObject({ data: [] });
  });

  test('it still belongs to another admin who has changed it', async () => {
    const { otherId, incidents, holdings } = await openOwned({ isShared: true });
    expect(holdings).toMatchObject({ data: [{ kind: 'sign_on', owner_id: otherId }] });
    expect(incidents).not.toContain('has no owner any more');
  });
});

describe('the provider of an admin does not act as another member', () => {
  test.each(['admin', 'analyst', 'viewer'] as const)('with the role %s and a password', async (role) => {
    const tenant = await service.createTenant();
    const person = await createPerson({ ...service, tenant }, { role });
    await claim(tenant, person.email, { trust_email: true });
    expect(await reach(await enter(tenant))).toBe(401);
    expect(await sessionsOf(service, person.email)).toEqual([]);
    // The person links the account in a session that they began themselves.
    const own = newVisitor(service, provider.issuer);
    await signIn(own.here, person);
    const start = await own.here.open(`/auth/sign-on/start?tenant=${tenant.tenantId}`);
    expect(start.text).toContain('If your account here is not linked');
    expect((await signOn(own, tenant)).status).toBe(200);
    expect(await reach(await enter(tenant))).toEqual([tenant.tenantId]);
  });

  test('whom only an earlier provider could sign in: the person sets a password by mail', async () => {
    const { theirs: tenant, other, email } = await openTenants();
    await claim(tenant, email, {});
    await enter(tenant);
    // Removing the provider, or choosing another issuer, forgets its people.
    expect((await service.client.send('DELETE', '/sign-on', tenant)).status).toBe(204);
    await claim(tenant, email, {});
    expect(await reach(await enter(tenant))).toBe(401);
    const own = { ...newVisitor(service, provider.issuer), here: await joinAsOwner(email, other) };
    expect((await signOn(own, tenant)).status).toBe(200);
    expect(await reach(await enter(tenant))).toEqual([tenant.tenantId]);
  });
});
