import type { Role } from '@tps/contract';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

async function signInAs(person: TestPerson): Promise<FormBrowser> {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  return browser;
}

async function begin(role: Role = 'viewer') {
  const application = await TestApplication.register(service);
  const person = await createPerson(service, { role });
  return { application, person, browser: await signInAs(person) };
}

/** Returns the parameters of an answer to the application. */
function paramsOf(answer: URL | undefined): Record<string, string> {
  return Object.fromEntries(answer?.searchParams ?? []);
}

test('a person allows an application what their role permits, in words', async () => {
  const application = await TestApplication.register(service, { name: 'Report <b>tool</b>' });
  const person = await createPerson(service, { role: 'viewer' });
  const browser = await signInAs(person);
  const page = await browser.open(application.authorizationUrl({ scope: 'devices:read tokens:write' }));
  expect(page.title).toContain('Allow Report <b>tool</b>?');
  expect(page.text).toContain('Your browser then returns to app.example');
  expect(page.text).toContain(`signed in as ${person.email}`);
  expect(page.text).toMatch(/could List devices.* devices:read .*does not allow.* Create and revoke tokens/);
  const { leftTo = new URL('none:') } = await browser.submit(page, {}, { button: 'Allow' });
  expect(paramsOf(leftTo)).toMatchObject({ state: 'the state', iss: `${service.baseUrl}/auth` });
  const { body } = await application.exchange(leftTo);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'devices:read' });
  const credential = String(body.access_token);
  expect(await service.client.send('GET', '/devices', { credential })).toMatchObject({ status: 200 });
  expect(await listAudit(service, application.clientId)).toEqual([
    'oauth_client.create success',
    'oauth.grant success',
  ]);
});

test('a person who is not signed in goes to the sign-in page, and from there to the application', async () => {
  const application = await TestApplication.register(service);
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  const { email, password } = person;
  const login = await browser.open(application.authorizationUrl({ login_hint: email }));
  expect(login.url.pathname).toBe('/auth/login');
  expect(login.forms[0]?.fields).toContainEqual(['email', email]);
  const consent = await browser.submit(login, { email, password });
  expect(consent.title).toContain('Allow Example?');
  expect(paramsOf((await browser.submit(consent)).leftTo)).toHaveProperty('code');
});

test('consent is remembered until the application asks for a new scope', async () => {
  const { application, browser } = await begin('admin');
  const repeat = (params: Record<string, string>) => browser.open(application.authorizationUrl(params));
  await authorize(browser, application.authorizationUrl());
  const { leftTo } = await repeat({});
  expect(await application.exchange(leftTo as URL)).toMatchObject({ body: { scope: 'devices:read' } });
  expect(paramsOf((await repeat({ prompt: 'none' })).leftTo)).toHaveProperty('code');
  expect((await repeat({ prompt: 'consent' })).title).toContain('Allow');
  const scope = 'devices:read tokens:write';
  expect(paramsOf((await repeat({ prompt: 'none', scope })).leftTo)).toMatchObject({
    error: 'consent_required',
  });
  expect((await repeat({ scope })).title).toContain('Allow');
});

test('consent is asked again after a change of the client, such as another redirect address', async () => {
  const { application, browser } = await begin('admin');
  await authorize(browser, application.authorizationUrl());
  const { credential } = service.tenant;
  const changed = await service.client.send('PATCH', `/oauth-clients/${application.clientId}`, {
    ...{
      credential,
      body: { redirect_uris: [application.redirectUri, 'https://other.example.com/callback'] },
    },
  });
  expect(changed.status).toBe(200);
  const other = { redirect_uri: 'https://other.example.com/callback' };
  expect((await browser.open(application.authorizationUrl(other))).title).toContain('Allow');
  await authorize(browser, application.authorizationUrl());
  expect(paramsOf((await browser.open(application.authorizationUrl(other))).leftTo)).toHaveProperty('code');
});

test('a client that changes while its page is open is shown again before it is allowed', async () => {
  const { application, browser } = await begin('admin');
  const page = await browser.open(application.authorizationUrl());
  const changed = await service.client.send('PATCH', `/oauth-clients/${application.clientId}`, {
    credential: service.tenant.credential,
    body: { name: 'Another name', scopes: ['devices:read', 'tokens:write'] },
  });
  expect(changed.status).toBe(200);
  const again = await browser.submit(page, {}, { button: 'Allow' });
  expect([again.leftTo, again.title]).toEqual([undefined, expect.stringContaining('Allow Another name?')]);
  expect(await listAudit(service, application.clientId)).not.toContain('oauth.grant success');
  const { leftTo } = await browser.submit(again, {}, { button: 'Allow' });
  expect(paramsOf(leftTo)).toHaveProperty('code');
});

test('a higher role does not give a client scopes that the person has not seen', async () => {
  const { application, browser, person } = await begin('viewer');
  const scope = 'devices:read tokens:write';
  await authorize(browser, application.authorizationUrl({ scope }));
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('memberships')
      .set({ role: 'admin' })
      .where('account_id', '=', person.accountId)
      .execute(),
  );
  expect((await browser.open(application.authorizationUrl({ scope }))).title).toContain('Allow');
});

test('an application whose request is denied gets an error and no grant', async () => {
  const { application, browser } = await begin();
  const answer = await authorize(browser, application.authorizationUrl(), { button: 'Deny' });
  expect(paramsOf(answer)).toMatchObject({ error: 'access_denied', state: 'the state' });
  const again = await browser.open(application.authorizationUrl({ prompt: 'none' }));
  expect(paramsOf(again.leftTo)).toMatchObject({ error: 'consent_required' });
});

test('a person of another tenant cannot allow anything', async () => {
  const other = await service.createTenant();
  const application = await TestApplication.register(service, { credential: other.credential });
  const browser = await signInAs(await createPerson(service, { role: 'admin' }));
  const page = await browser.open(application.authorizationUrl());
  expect(page).toMatchObject({ status: 403 });
  expect(page.text).toContain('not a member');
  const forced = await browser.post(page.url, {
    ...Object.fromEntries(page.forms[0]?.fields ?? []),
    decision: 'allow',
    tenant: other.tenantId,
  });
  expect(forced).toMatchObject({ status: 403, leftTo: undefined });
  const answer = await browser.submit(page, {}, { button: 'Back' });
  expect(paramsOf(answer.leftTo)).toMatchObject({ error: 'access_denied' });
});

test('a role that has none of the scopes cannot allow anything', async () => {
  const { application, browser } = await begin('viewer');
  const page = await browser.open(application.authorizationUrl({ scope: 'tokens:write' }));
  expect(page.status).toBe(403);
  expect(page.text).toContain('Your role does not allow anything');
});

test('the end of a session, another account and a disabled account hold at once', async () => {
  const { application, browser, person } = await begin();
  await authorize(browser, application.authorizationUrl());
  const { database } = service.service;
  const silent = async () =>
    paramsOf((await browser.open(application.authorizationUrl({ prompt: 'none' }))).leftTo);
  expect(await silent()).toHaveProperty('code');

  const setDisabled = (disabledAtMs: number | null) =>
    database.transaction((tx) =>
      tx.db
        .updateTable('accounts')
        .set({ disabled_at: disabledAtMs })
        .where('account_id', '=', person.accountId)
        .execute(),
    );
  await setDisabled(1);
  expect(await silent()).toMatchObject({ error: 'login_required' });
  await setDisabled(null);
  await database.transaction((tx) =>
    tx.db.deleteFrom('account_sessions').where('account_id', '=', person.accountId).execute(),
  );
  expect(await silent()).toMatchObject({ error: 'login_required' });

  await signIn(browser, await createPerson(service));
  expect(await silent()).toMatchObject({ error: 'consent_required' });
  await browser.submit(await browser.open('/auth/logout'));
  await signIn(browser, person);
  expect(await silent()).toHaveProperty('code');
});

test('a session of single sign-on reaches no application of another tenant', async () => {
  const { application, browser, person } = await begin('admin');
  const other = await service.createTenant();
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('account_sessions')
      .set({ tenant_id: other.tenantId })
      .where('account_id', '=', person.accountId)
      .execute(),
  );
  expect((await browser.open(application.authorizationUrl())).status).toBe(403);
});

test('prompt=login and max_age ask who the person is, though they are signed in', async () => {
  const { application, browser, person } = await begin();
  await authorize(browser, application.authorizationUrl());
  for (const params of [{ prompt: 'login' }, { max_age: '0', scope: 'openid devices:read' }]) {
    const confirm = await browser.open(application.authorizationUrl(params));
    expect(confirm.url.pathname, JSON.stringify(params)).toBe('/auth/confirm');
    const page = await browser.submit(confirm, { password: person.password });
    const { leftTo } = page.leftTo ? page : await browser.submit(page);
    expect(paramsOf(leftTo)).toHaveProperty('code');
  }
});

test('two requests in two tabs of a browser are decided one by one', async () => {
  const { application, browser } = await begin();
  const other = await TestApplication.register(service, { redirectUri: 'https://other.example/' });
  const first = await browser.open(application.authorizationUrl({ state: 'first' }));
  const second = await browser.open(other.authorizationUrl({ state: 'second' }));
  const denied = await browser.submit(first, {}, { button: 'Deny' });
  expect(paramsOf(denied.leftTo)).toMatchObject({ error: 'access_denied', state: 'first' });
  const allowed = await browser.submit(second, {}, { button: 'Allow' });
  expect(allowed.leftTo?.origin).toBe('https://other.example');
  expect(paramsOf(allowed.leftTo)).toMatchObject({ state: 'second' });
  expect(await other.exchange(allowed.leftTo as URL)).toMatchObject({ status: 200 });
});
