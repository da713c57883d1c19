import { hash } from 'node:crypto';
import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const ATTEMPTS = 4;

const titleOf = ({ title }: HtmlPage) => title.replace(/ ·.*/, '');

async function enterPassword(browser: FormBrowser, { email, password }: TestPerson): Promise<HtmlPage> {
  const page = await browser.open('/auth/login?return_to=/auth/account');
  return browser.submit(page, { email, password });
}

async function signIn(person: TestPerson): Promise<FormBrowser> {
  const browser = new FormBrowser(service.baseUrl);
  expect(titleOf(await enterPassword(browser, person))).toBe('Your account');
  return browser;
}

async function deleteAccount(browser: FormBrowser, email: string): Promise<HtmlPage> {
  return browser.submit(await browser.open('/auth/account/delete'), { email });
}

/** Stores an access token and a consent of a person for an application, and an identity at a provider. Returns the token. */
async function allowApplication({ accountId }: TestPerson): Promise<string> {
  const { tenantId } = service.tenant;
  const token = await service.createCredential(tenantId, ['status:read'], Date.now() + 3_600_000);
  const client_id = 'cli_1';
  await service.service.database.transaction(async ({ db }) => {
    await db
      .updateTable('tokens')
      .set({ account_id: accountId, client_id })
      .where('token_hash', '=', hash('sha256', token, 'hex'))
      .execute();
    const consent = { tenant_id: tenantId, account_id: accountId, client_id, scopes: '[]' };
    await db
      .insertInto('oauth_consents')
      .values({ ...consent, granted_at: 1, client_version: null, version_scopes: null })
      .execute();
    const identity = {
      tenant_id: tenantId,
      account_id: accountId,
      issuer: 'https://idp.example',
      subject: accountId,
    };
    await db
      .insertInto('sign_on_identities')
      .values({ ...identity, created_at: 1, used_at: 1 })
      .execute();
  });
  return token;
}

/** Counts what names an account, by table. Audit entries and ended tokens stay. */
async function listTraces(accountId: string): Promise<string[]> {
  const tables = [
    'accounts',
    'account_sessions',
    'account_totp',
    'account_recovery_codes',
    'account_passkeys',
    'account_challenges',
    'memberships',
    'oauth_consents',
    'oauth_records',
    'sign_on_identities',
  ] as const;
  const found: string[] = [];
  for (const table of tables) {
    const query = service.service.database.read.db.selectFrom(table).select('account_id');
    const rows = await query.where('account_id', '=', accountId).execute();
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const readStatus = async (token: string) =>
  (await fetch(`${service.baseUrl}/status`, { headers: { authorization: `Bearer ${token}` } })).status;

test('deleting an account ends everything that acts in its name, at once', async () => {
  const person = await createPerson(service);
  const [browser, other] = [await signIn(person), await signIn(person)];
  const token = await allowApplication(person);
  expect(await readStatus(token)).toBe(200);
  expect(await listTraces(person.accountId)).toEqual([
    'accounts',
    'account_sessions',
    'memberships',
    'oauth_consents',
    'sign_on_identities',
  ]);
  expect(titleOf(await deleteAccount(browser, ` ${person.email.toUpperCase()}`))).toBe('Account deleted');
  expect(await readStatus(token)).toBe(401);
  expect(titleOf(await other.open('/auth/account'))).toBe('Sign in');
  expect((await enterPassword(other, person)).status).toBe(401);
  expect(await listTraces(person.accountId)).toEqual([]);
  const entries = await listAudit(service, person.accountId);
  expect(entries).toContain('account.deleted success');
});

test('an account is not deleted when another e-mail address is typed', async () => {
  const person = await createPerson(service);
  const browser = await signIn(person);
  expect((await deleteAccount(browser, 'someone@example.com')).status).toBe(400);
  expect(titleOf(await browser.open('/auth/account'))).toBe('Your account');
});

test('the last admin of a tenant stays until another member is one', async () => {
  const { tenantId } = await service.createTenant();
  const admin = await createPerson(service, { tenantId, role: 'admin' });
  const browser = await signIn(admin);
  const page = await deleteAccount(browser, admin.email);
  expect([page.status, page.text]).toEqual([
    400,
    expect.stringContaining('You are the only admin of other.'),
  ]);
  await createPerson(service, { tenantId, role: 'admin' });
  expect(titleOf(await deleteAccount(browser, admin.email))).toBe('Account deleted');
});

test('of two admins who delete their accounts at the same time, one stays', async () => {
  const { tenantId } = await service.createTenant();
  const admins = [
    await createPerson(service, { tenantId, role: 'admin' }),
    await createPerson(service, { tenantId, role: 'admin' }),
  ];
  const browsers = await Promise.all(admins.map(signIn));
  const pages = await Promise.all(
    browsers.map((browser, index) => deleteAccount(browser, admins[index]?.email ?? '')),
  );
  expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('simultaneous sign-ins leave no session after the deletion', async () => {
  const person = await createPerson(service);
  const browser = await signIn(person);
  const page = await browser.open('/auth/account/delete');
  const others = Array.from({ length: ATTEMPTS }, () => new FormBrowser(service.baseUrl));
  const forms = await Promise.all(others.map((other) => other.open('/auth/login')));
  const { email, password } = person;
  const [deleted] = await Promise.all([
    browser.submit(page, { email }),
    ...others.map((other, index) => other.submit(forms[index] as HtmlPage, { email, password })),
  ]);
  expect(titleOf(deleted)).toBe('Account deleted');
  expect(await listTraces(person.accountId)).toEqual([]);
});

test('the address of a deleted account is in neither the audit log nor accepted invitations', async () => {
  const { tenantId } = service.tenant;
  const person = await createPerson(service);
  const browser = await signIn(person);
  const { database } = service.service;
  const row = {
    tenant_id: tenantId,
    invitation_id: 'inv_1',
    token_hash: 'hash',
    role: 'viewer',
    created_by: 'test',
  };
  const times = { created_at: 1, expires_at: 2, accepted_at: 2, revoked_at: null };
  const accepted = { ...row, ...times, email: person.email, accepted_by: person.accountId };
  await database.transaction((tx) => tx.insertMany('invitations', [accepted]));
  await deleteAccount(browser, person.email);
  const left = [
    ...(await database.read.db.selectFrom('invitations').selectAll().execute()),
    ...(await database.read.db.selectFrom('audit_entries').selectAll().execute()),
  ];
  expect(JSON.stringify(left)).toContain(person.accountId);
  expect(JSON.stringify(left)).not.toContain(person.email);
});
