import { authorize, FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

async function begin() {
  const application = await TestApplication.register(service);
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  return { application, person, browser };
}

async function beginConsent() {
  const begun = await begin();
  const page = await begun.browser.open(begun.application.authorizationUrl());
  return { ...begun, page };
}

/** What a browser would send if the person allowed it. */
function allowing(page: HtmlPage): Record<string, string> {
  return { ...Object.fromEntries(page.forms[0]?.fields ?? []), decision: 'allow' };
}

async function consentsOf(accountId: string): Promise<number> {
  const { db } = service.service.database.read;
  const rows = await db
    .selectFrom('oauth_consents')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  return rows.length;
}

test('a form of consent that another site sends is rejected', async () => {
  const { browser, page, person } = await beginConsent();
  const other = await beginConsent();
  const { form_token: own = '', ...unsigned } = allowing(page);
  const foreign = allowing(other.page).form_token ?? '';
  const attempts: [Record<string, string>, Record<string, string | null>][] = [
    [unsigned, {}],
    [{ ...unsigned, form_token: '' }, {}],
    [{ ...unsigned, form_token: foreign }, {}],
    [{ ...unsigned, form_token: own }, { origin: 'https://evil.example' }],
    [{ ...unsigned, form_token: own }, { origin: 'null' }],
    [
      { ...unsigned, form_token: own },
      { 'sec-fetch-site': 'cross-site', origin: null },
    ],
  ];
  for (const [body, headers] of attempts) {
    const answer = await browser.post(page.url, body, headers);
    expect(answer, JSON.stringify([body, headers])).toMatchObject({ status: 403, leftTo: undefined });
  }
  expect(await consentsOf(person.accountId)).toBe(0);
  expect((await browser.post(page.url, allowing(page))).leftTo?.searchParams.has('code')).toBe(true);
});

test('an interaction cannot be opened or decided in another browser', async () => {
  const { page } = await beginConsent();
  const victim = await begin();
  expect(await victim.browser.open(page.url)).toMatchObject({ status: 400 });
  const own = await victim.browser.open(victim.application.authorizationUrl());
  const forged = { ...allowing(page), form_token: allowing(own).form_token ?? '' };
  expect(await victim.browser.post(page.url, forged)).toMatchObject({ status: 400, leftTo: undefined });
  expect(await consentsOf(victim.person.accountId)).toBe(0);
});

test('the address of an interaction names the one that the browser has begun', async () => {
  const { browser, page, person } = await beginConsent();
  const path = page.url.pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect(await browser.open(path)).toMatchObject({ status: 400 });
  browser.cookies.set('tps-oauth', browser.cookies.get('tps-oauth') ?? '');
  browser.cookies.set('tps-oauth.sig', browser.cookies.get('tps-oauth.sig') ?? '');
  expect(await browser.post(path, allowing(page))).toMatchObject({ status: 400, leftTo: undefined });
  expect(await consentsOf(person.accountId)).toBe(0);
});

test('a redirect address that is not registered gets nothing', async () => {
  const { application, browser } = await begin();
  const addresses = [
    'https://evil.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example/callback/',
    'https://app.example/callback/../other',
    'https://app.example/callback?next=https://evil.example',
    'https://app.example:8443/callback',
    'http://app.example/callback',
    'https://APP.example/callback#fragment',
    'javascript:alert(1)',
    '//evil.example/callback',
    '"><script>alert(1)</script>',
  ];
  for (const redirectUri of addresses) {
    const page = await browser.open(application.authorizationUrl({ redirect_uri: redirectUri }));
    expect(page, redirectUri).toMatchObject({ status: 400, leftTo: undefined });
    expect(page.title).toContain('cannot be continued');
    expect(page.html).not.toContain('<script>');
  }
});

test('an error page shows what a request contained as text, without scripts or frames', async () => {
  const browser = new FormBrowser(service.baseUrl);
  const markup = '<img src=x onerror=alert(1)>';
  const page = await browser.open(
    `/auth/authorize?${new URLSearchParams({ client_id: markup, state: markup })}`,
  );
  expect(page.status).toBe(400);
  expect(page.html).not.toContain('<img');
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('the pages of the provider that ours replace are not shown', async () => {
  const { browser } = await begin();
  const page = await browser.open('/auth/device/unknown');
  expect(page).toMatchObject({ status: 404, forms: [] });
  expect(page.text).toContain('No such page.');
  expect(page.html).not.toContain('<style');
});

test('a consent page can be sent to its application only, and shown in no frame', async () => {
  const { page } = await beginConsent();
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("form-action 'self' https://app.example;");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('a consent that is sent again gives no second code', async () => {
  const { browser, page, application } = await beginConsent();
  const body = allowing(page);
  const first = await browser.post(page.url, body);
  expect(first.leftTo?.searchParams.has('code')).toBe(true);
  expect(await browser.post(page.url, body)).toMatchObject({ status: 400, leftTo: undefined });
  expect(await browser.open(page.url)).toMatchObject({ status: 400, leftTo: undefined });
  expect(await application.exchange(first.leftTo as URL)).toMatchObject({ status: 200 });
});

test('a client that was deleted while the page was open gets nothing', async () => {
  const { browser, page, application, person } = await beginConsent();
  const { credential } = service.tenant;
  await service.client.send('DELETE', `/oauth-clients/${application.clientId}`, { credential });
  expect(await browser.post(page.url, allowing(page))).toMatchObject({ status: 400, leftTo: undefined });
  expect(await consentsOf(person.accountId)).toBe(0);
});

test('a member who was removed while the page was open allows nothing', async () => {
  const { browser, page, application, person } = await beginConsent();
  await service.service.database.transaction((tx) =>
    tx.db.deleteFrom('memberships').where('account_id', '=', person.accountId).execute(),
  );
  const refusal = await browser.post(page.url, allowing(page));
  expect(refusal).toMatchObject({ status: 403, leftTo: undefined });
  expect(await consentsOf(person.accountId)).toBe(0);
  const answer = await browser.submit(refusal, {}, { button: 'Back' });
  expect(answer.leftTo?.searchParams.get('error')).toBe('access_denied');
  const silent = await browser.open(application.authorizationUrl({ prompt: 'none' }));
  expect(silent.leftTo?.searchParams.has('code')).toBe(false);
});

test('an application acts in its own tenant only, though the person belongs to another one', async () => {
  const { browser, page, person } = await beginConsent();
  const { tenantId } = await service.createTenant();
  const membership = { tenant_id: tenantId, account_id: person.accountId, role: 'admin', created_at: 0 };
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, created_by: 'test' }]),
  );
  const forged = { ...allowing(page), tenant: tenantId };
  expect(await browser.post(page.url, forged)).toMatchObject({ status: 200, leftTo: undefined });
  expect(await consentsOf(person.accountId)).toBe(0);
});

test('a form that is sent twice gives one grant', async () => {
  const { browser, page, person } = await beginConsent();
  await decideWithoutFollowing(browser, page);
  await decideWithoutFollowing(browser, page);
  const { db } = service.service.database.read;
  const grants = db.selectFrom('oauth_records').selectAll().where('account_id', '=', person.accountId);
  expect(await grants.where('model', '=', 'Grant').execute()).toHaveLength(1);
});

test('a consent page of one person is of no use after another one has signed in', async () => {
  const { browser, page } = await beginConsent();
  const other = await createPerson(service);
  await browser.submit(await browser.open('/auth/logout'));
  await signIn(browser, other);
  expect(await browser.post(page.url, allowing(page))).toMatchObject({ status: 400, leftTo: undefined });
  expect(await consentsOf(other.accountId)).toBe(0);
});

test('an answer that was allowed is not given to a person who signed in before it is fetched', async () => {
  const { application, browser, person } = await begin();
  await authorize(browser, application.authorizationUrl());
  const other = await createPerson(service);
  const page = await browser.open(application.authorizationUrl({ prompt: 'consent' }));
  const uid = page.url.pathname.split('/').at(-1) ?? '';
  await decideWithoutFollowing(browser, page);
  await browser.submit(await browser.open('/auth/logout'));
  await signIn(browser, other);
  const resumed = await browser.open(`/auth/authorize/${uid}`);
  expect(resumed.leftTo?.searchParams.has('code') ?? false).toBe(false);
  expect(await consentsOf(person.accountId)).toBe(1);
});

/** Sends the form of consent and leaves the redirect alone. */
async function decideWithoutFollowing(browser: FormBrowser, page: HtmlPage): Promise<void> {
  const response = await fetch(page.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: browser.cookies.header(page.url), origin: service.baseUrl },
    body: new URLSearchParams(allowing(page)),
  });
  expect(response.status).toBe(303);
}
