import { ROLE_SCOPES } from '@tps/contract';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { type AccountId, createResetLink, removeApp, setDisabled } from '../accounts/index.ts';
import { COMMAND_LINE } from '../audit/index.ts';
import { TenantDeletion } from '../tenants/index.ts';

const service = useTestService();
const IS_SHARED = process.env.TEST_STORE === 'postgres';

const call = (credential: string, path = '/status', init: RequestInit = {}, baseUrl = service.baseUrl) =>
  fetch(`${baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
  });

async function openAs(role: 'viewer' | 'analyst' | 'admin', tenant = service.tenant) {
  const person = await createPerson({ ...service, tenant }, { role });
  const secret = await startSession(service, person);
  const { status, body } = await exchangeSession(service, secret);
  expect(status).toBe(200);
  return { person, secret, token: body.access_token, session: body, tenant };
}

test.each(['viewer', 'analyst', 'admin'] as const)(
  'the token of a session has the scopes of the role %s',
  async (role) => {
    const { person, token, session } = await openAs(role);
    const { tenantId } = service.tenant;
    expect(session).toMatchObject({
      token_type: 'Bearer',
      account: { id: person.accountId, name: person.name, email: person.email },
      tenant: { id: tenantId },
      role,
      scopes: ROLE_SCOPES[role],
      tenants: [{ id: tenantId, role }],
    });
    expect(session.expires_in).toBeGreaterThan(600);
    expect(session.expires_in).toBeLessThanOrEqual(900);
    expect((await call(token)).status).toBe(200);
    expect((await call(token, '/members')).status).toBe(role === 'admin' ? 200 : 403);
  },
);

test('a change that is repeated with the next token of the session is made once', async () => {
  const { secret, token } = await openAs('admin');
  const { body: renewed } = await exchangeSession(service, secret);
  expect(renewed.access_token).not.toBe(token);
  const ids = new Set<string>();
  for (const credential of [token, renewed.access_token]) {
    const { status, body } = await service.client.send('POST', '/enrolments', {
      credential,
      body: { name: 'repeated' },
      headers: { 'idempotency-key': 'one-change' },
    });
    expect(status).toBe(201);
    ids.add((body as { enrolment_id: string }).enrolment_id);
  }
  expect(ids.size).toBe(1);
});

test('a browser that is not signed in gets no token, and the address at which to sign in', async () => {
  for (const secret of [undefined, 'x'.repeat(43), 'short']) {
    const { status, headers, body } = await exchangeSession(service, secret);
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { code: 'missing_credentials' } });
    expect(headers.get('set-cookie')).toContain('tps-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  }
});

test('a person of two tenants gets a separate token for each, and none for a third', async () => {
  const other = await service.createTenant();
  const third = await service.createTenant();
  const person = await createPerson(service, { role: 'viewer' });
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [
      {
        tenant_id: other.tenantId,
        account_id: person.accountId,
        role: 'admin',
        created_by: 'test',
        created_at: Date.now() + 1,
      },
    ]),
  );
  const secret = await startSession(service, person);
  const first = await exchangeSession(service, secret);
  const second = await exchangeSession(service, secret, { body: { tenant_id: other.tenantId } });
  expect(first.body).toMatchObject({ tenant: { id: service.tenant.tenantId }, role: 'viewer' });
  expect(first.body.tenants.map(({ role }) => role)).toEqual(['viewer', 'admin']);
  expect(second.body).toMatchObject({ tenant: { id: other.tenantId }, role: 'admin' });
  expect((await call(second.body.access_token, '/members')).status).toBe(200);
  expect((await call(first.body.access_token, '/members')).status).toBe(403);
  expect(await exchangeSession(service, secret, { body: { tenant_id: third.tenantId } })).toMatchObject({
    status: 404,
  });
});

test('a session that the provider of a tenant began reaches only that tenant', async () => {
  const other = await service.createTenant();
  const person = await createPerson(service);
  const membership = { account_id: person.accountId, role: 'viewer', created_by: 'test' };
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, tenant_id: other.tenantId, created_at: Date.now() + 1 }]),
  );
  const secret = await startSession(service, { ...person, tenantId: other.tenantId });
  const own = await exchangeSession(service, secret);
  expect(own.body.tenant.id).toBe(other.tenantId);
  expect(own.body.tenants).toHaveLength(1);
  const { tenantId } = service.tenant;
  expect((await exchangeSession(service, secret, { body: { tenant_id: tenantId } })).status).toBe(404);
});

test('a person who is a member of no tenant gets no token', async () => {
  const person = await createPerson(service, { tenantId: null });
  const { status, body } = await exchangeSession(service, await startSession(service, person));
  expect([status, body]).toMatchObject([403, { error: { code: 'insufficient_scope' } }]);
});

test('changes of access need a sign-in of the last ten minutes', async () => {
  const person = await createPerson(service, { role: 'admin' });
  const invite = { method: 'POST', body: JSON.stringify({ role: 'viewer' }) };
  const recent = await exchangeSession(service, await startSession(service, person));
  expect((await call(recent.body.access_token, '/invitations', invite)).status).toBe(201);
  const nowMs = Date.now() - 11 * 60_000;
  const old = await exchangeSession(service, await startSession(service, { ...person, nowMs }));
  const refused = await call(old.body.access_token, '/invitations', invite);
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { error: { code: 'reauthentication_required' } },
  ]);
});

type Change = (scene: Awaited<ReturnType<typeof openAs>>) => Promise<unknown>;

const asAdmin =
  (method: string, path: (accountId: string) => string, body?: object): Change =>
  async ({ tenant, person }) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    expect((await call(tenant.credential, path(person.accountId), init)).ok).toBe(true);
  };

/** A browser of the person, which has the session of the scene or a new one. */
function browserOf(secret?: string): FormBrowser {
  const browser = new FormBrowser(service.baseUrl);
  if (secret !== undefined) browser.cookies.set('tps-session', secret);
  return browser;
}

async function endSessions(browser: FormBrowser, action: 'end_all' | 'end_others'): Promise<void> {
  const page = await browser.open('/auth/account/sessions');
  const [form] = page.forms;
  const token = form?.fields.find(([name]) => name === 'form_token')?.[1] ?? '';
  await browser.post('/auth/account/sessions', { form_token: token, action });
}

async function resetPassword({ person }: { person: TestPerson }): Promise<void> {
  const accountId = person.accountId as AccountId;
  const pageUrl = `${service.baseUrl}/auth/reset`;
  const link = await service.service.database.transaction((tx) =>
    createResetLink(tx, { accountId, pageUrl, nowMs: Date.now(), lifetimeMs: 60_000 }),
  );
  const browser = browserOf();
  const page = await browser.open(link.reveal());
  await browser.submit(page, { password: 'a new and better password' });
}

const ENDS: readonly [string, Change][] = [
  [
    'the person signs out in the console',
    async ({ secret }) => {
      const response = await fetch(`${service.baseUrl}/console/session`, {
        method: 'DELETE',
        headers: { origin: service.baseUrl, 'x-tps-console': '1', cookie: `tps-session=${secret}` },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    },
  ],
  [
    'the person signs out on the page',
    async ({ secret }) => {
      const browser = browserOf(secret);
      await browser.submit(await browser.open('/auth/logout'), {}, { button: 'Sign out' });
    },
  ],
  [
    'the person signs out everywhere, in another browser',
    async ({ person }) => {
      const browser = browserOf();
      await signIn(browser, person);
      await endSessions(browser, 'end_all');
    },
  ],
  [
    'the person ends the session from the list of another browser',
    async ({ person }) => {
      const browser = browserOf();
      await signIn(browser, person);
      await endSessions(browser, 'end_others');
    },
  ],
  [
    'the person proves again who they are',
    async ({ secret, person }) => {
      const browser = browserOf(secret);
      await browser.submit(await browser.open('/auth/confirm'), { password: person.password });
    },
  ],
  ['the password is reset', resetPassword],
  [
    'the operator turns the authenticator app off',
    async ({ person }) => {
      const accountId = person.accountId as AccountId;
      const { database } = service.service;
      await database.transaction(async (tx) => {
        await tx.insertMany('account_totp', [
          {
            account_id: accountId,
            key_id: 'x',
            sealed_secret: Buffer.alloc(1),
            created_at: 1,
            confirmed_at: 1,
            last_step: null,
          },
        ]);
        await removeApp(tx, accountId, { actor: COMMAND_LINE, nowMs: Date.now() });
      });
    },
  ],
  [
    'the account is disabled',
    async ({ person }) => {
      const change = { isDisabled: true, actor: COMMAND_LINE, nowMs: Date.now() };
      await service.service.database.transaction((tx) =>
        setDisabled(tx, person.accountId as AccountId, change),
      );
    },
  ],
  [
    'the person deletes the account',
    async ({ person, secret }) => {
      const browser = browserOf(secret);
      await browser.submit(await browser.open('/auth/account/delete'), { email: person.email });
    },
  ],
  ['the member is removed', asAdmin('DELETE', (accountId) => `/members/${accountId}`)],
  ['the role changes', asAdmin('PATCH', (accountId) => `/members/${accountId}`, { role: 'viewer' })],
  [
    'the deletion of the tenant begins',
    ({ tenant }) =>
      new TenantDeletion({ database: service.service.database, clock: systemClock }).begin(
        tenant.tenantId,
        30,
      ),
  ],
];

test.each(ENDS)('the token ends on every node when %s', async (_, change) => {
  const node = IS_SHARED ? await service.startNode() : undefined;
  try {
    const scene = await openAs('analyst', await service.createTenant());
    const nodes = [service.baseUrl, ...(node ? [node.baseUrl] : [])];
    const statuses = () =>
      Promise.all(nodes.map(async (url) => (await call(scene.token, '/status', {}, url)).status));
    expect(await statuses()).toEqual(nodes.map(() => 200));
    await change(scene);
    expect(await statuses()).toEqual(nodes.map(() => 401));
  } finally {
    await node?.stop();
  }
});

test('a token that is asked for while the session ends is never left over', async () => {
  const { secret } = await openAs('viewer');
  const end = endSessions(browserOf(secret), 'end_all');
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeSession(service, secret)));
  await end;
  for (const { status, body } of answers) {
    if (status === 200) expect((await call(body.access_token)).status).toBe(401);
    else expect(status).toBe(401);
  }
});

test('the secret of a session is never taken from a browser', async () => {
  const person = await createPerson(service);
  const browser = browserOf('f'.repeat(43));
  await signIn(browser, person);
  expect(browser.cookies.get('tps-session')).not.toBe('f'.repeat(43));
  expect((await exchangeSession(service, 'f'.repeat(43))).status).toBe(401);
  expect((await exchangeSession(service, browser.cookies.get('tps-session'))).status).toBe(200);
});

test('the audit log has one entry for a session, not one for each token', async () => {
  const tenant = await service.createTenant();
  const { secret, person } = await openAs('viewer', tenant);
  await exchangeSession(service, secret);
  const { db } = service.service.database.read;
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id'])
    .where('tenant_id', '=', tenant.tenantId)
    .where('action', '=', 'console.open')
    .execute();
  expect(entries).toEqual([{ action: 'console.open', actor_id: person.accountId }]);
});

test('a change in the console is recorded under the name of the person', async () => {
  const { person, token, tenant } = await openAs('admin', await service.createTenant());
  await call(token, '/invitations', { method: 'POST', body: JSON.stringify({ role: 'viewer' }) });
  const { db } = service.service.database.read;
  const entry = db.selectFrom('audit_entries').selectAll().where('tenant_id', '=', tenant.tenantId);
  expect(await entry.where('action', '=', 'invitation.create').executeTakeFirst()).toMatchObject({
    actor_type: 'account',
    actor_id: person.accountId,
  });
});

test('the list of tokens and the userinfo endpoint do not know tokens of the console', async () => {
  const { token } = await openAs('admin');
  const { data } = (await (await call(service.tenant.credential, '/tokens')).json()) as {
    data: { name: string }[];
  };
  expect(data.map(({ name }) => name)).not.toContain('Console');
  const info = await fetch(`${service.baseUrl}/auth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(info.status).toBe(401);
});

test('a token ends with a session that is about to end', async () => {
  const clock = new ManualClock(Date.now());
  const person = await createPerson(service);
  const nowMs = clock.now() - 24 * 3_600_000 + 120_000;
  const secret = await startSession(service, { ...person, nowMs });
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('account_sessions')
      .set({ seen_at: clock.now() })
      .where('account_id', '=', person.accountId)
      .execute(),
  );
  const { body } = await exchangeSession(service, secret);
  expect(body.expires_in).toBeLessThanOrEqual(120);
});
