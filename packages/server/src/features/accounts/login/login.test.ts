import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { findFreePort } from '@tps/testing/network';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { dumpStore } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SESSION = 'tps-session';

const clock = new ManualClock();
const service = useTestService({ clock });

// Failed attempts and page limits of the test before are forgotten.
beforeEach(() => clock.advance(2 * DAY_MS));

async function enter(
  browser: FormBrowser,
  { email, password }: Pick<TestPerson, 'email' | 'password'>,
  returnTo = '/auth/logout',
): Promise<HtmlPage> {
  const page = await browser.open(`/auth/login?${new URLSearchParams({ return_to: returnTo })}`);
  return browser.submit(page, { email, password });
}

/** Returns whether the browser is signed in: the sign-in page then leads back. */
async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  const page = await browser.open('/auth/login?return_to=/auth/logout');
  return page.title.startsWith('Sign out');
}

async function signIn(person: TestPerson, browser = new FormBrowser(service.baseUrl)): Promise<FormBrowser> {
  await enter(browser, person);
  expect(await isSignedIn(browser)).toBe(true);
  return browser;
}

/** What a person or a program sees of a page, without the fields that differ each time. */
function seen({ status, title, text, headers }: HtmlPage): unknown {
  return { status, title, text, retryAfter: headers.get('retry-after') };
}

describe('the sign-in page', () => {
  test('signs a person in, in any spelling of the address, and leads back', async () => {
    const person = await createPerson(service, { email: 'Zoë@Example.com' });
    const page = await enter(new FormBrowser(service.baseUrl), { ...person, email: '  ZOË@example.COM ' });
    expect(page.url.pathname).toBe('/auth/logout');
    expect(await listAudit(service, person.accountId)).toEqual(['account.login success']);
  });

  test('responds alike to a wrong password, an unknown address and a disabled account', async () => {
    const person = await createPerson(service);
    const disabled = await createPerson(service);
    await service.service.database.transaction((tx) =>
      tx.updateMany(
        'accounts',
        ['account_id'],
        [{ account_id: disabled.accountId, disabled_at: clock.now() }],
      ),
    );
    const pages = [];
    for (const tried of [
      { ...person, password: 'a wrong password' },
      { ...person, email: 'unknown@example.com' },
      disabled,
    ]) {
      const page = await enter(new FormBrowser(service.baseUrl), tried);
      expect(page.html).toContain(`value="${tried.email}"`);
      pages.push(seen(page));
    }
    expect(pages[0]).toMatchObject({ status: 401 });
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/auth/',
    '/auth/../\\evil.example',
    '/auth/%2e%2e//evil.example',
    '/auth/logout%0d%0aset-cookie:%20x=1'.replaceAll('%0d%0a', '\r\n'),
    'javascript:alert(1)',
    '/events',
  ])('does not lead to %j', async (returnTo) => {
    const browser = new FormBrowser(service.baseUrl);
    const { email, password } = await createPerson(service);
    const form = await browser.open(`/auth/login?${new URLSearchParams({ return_to: returnTo })}`);
    expect(form.html).toContain('name="return_to" value="/console"');
    const page = await browser.submit(form, { email, password, return_to: returnTo });
    expect(page.url.href).toBe(`${service.baseUrl}/console`);
    expect(page.leftTo).toBeUndefined();
    expect(browser.cookies.get('x')).toBeUndefined();
  });

  test('refuses a form of another site, and one that is too large', async () => {
    const person = await createPerson(service);
    const { email, password } = person;
    const browser = new FormBrowser(service.baseUrl);
    const page = await browser.open('/auth/login');
    const statusOf = async (values: Record<string, string>, headers = {}) =>
      (await browser.submit(page, values, { headers })).status;
    expect(await statusOf({ email, password }, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ email, password }, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf({ email, password, form_token: 'x' })).toBe(403);
    expect(await statusOf({ email: `${email}${'x'.repeat(40_000)}`, password })).toBe(413);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await statusOf({ email: `${email}\r\nbcc: x@y.z`, password })).toBe(401);
    expect(await statusOf({ email: '', password: '' })).toBe(401);
    expect(await statusOf({ email: 'x'.repeat(10_000), password: 'x'.repeat(10_000) })).toBe(401);
  });

  test('leaves no password, cookie or address in the log, and only hashes in the store', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    await enter(new FormBrowser(service.baseUrl), { ...person, password: 'a wrong secret password' });
    const cookie = browser.cookies.get(SESSION) ?? 'none';
    const dump = JSON.stringify(await dumpStore(service.store));
    for (const secret of [person.password, 'a wrong secret password', cookie]) {
      expect(service.log()).not.toContain(secret);
      expect(dump).not.toContain(secret);
    }
    expect(service.log()).not.toContain(person.email);
  });
});

describe('a session', () => {
  test('never has an id from outside, and a sign-in replaces the earlier one', async () => {
    const [attacker, victim] = [await createPerson(service), await createPerson(service)];
    const attackers = await signIn(attacker);
    const planted = attackers.cookies.get(SESSION) ?? '';
    const victims = new FormBrowser(service.baseUrl);
    victims.cookies.set(SESSION, planted);
    const page = await victims.open('/auth/login/code');
    await victims.post('/auth/login', { ...tokenOf(page), ...victim });
    expect(victims.cookies.get(SESSION)).toMatch(/^[\w-]{43}$/);
    expect(victims.cookies.get(SESSION)).not.toBe(planted);
    expect(await isSignedIn(victims)).toBe(true);
    expect(await isSignedIn(attackers)).toBe(false);

    const inventive = new FormBrowser(service.baseUrl);
    inventive.cookies.set(SESSION, 'A'.repeat(43));
    await signIn(victim, inventive);
    expect(inventive.cookies.get(SESSION)).not.toBe('A'.repeat(43));
  });

  test('ends after 12 hours without use, and after 7 days in any case', async () => {
    const person = await createPerson(service);
    const idle = await signIn(person);
    clock.advance(12 * HOUR_MS - 1);
    expect(await isSignedIn(idle)).toBe(true);
    clock.advance(12 * HOUR_MS);
    expect(await isSignedIn(idle)).toBe(false);

    const busy = await signIn(person);
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      clock.advance(8 * HOUR_MS);
      expect(await isSignedIn(busy)).toBe(true);
    }
    clock.advance(8 * HOUR_MS);
    expect(await isSignedIn(busy)).toBe(false);
  });

  test('records its use at most once a minute', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const start = clock.now();
    const seenAt = async () => {
      await isSignedIn(browser);
      const { seen_at } = await service.service.database.read.db
        .selectFrom('account_sessions')
        .select('seen_at')
        .where('account_id', '=', person.accountId)
        .executeTakeFirstOrThrow();
      return seen_at - start;
    };
    clock.advance(MINUTE_MS - 1);
    expect(await seenAt()).toBe(0);
    clock.advance(1);
    expect(await seenAt()).toBe(MINUTE_MS);
  });

  test('ends when the person signs out, which another site cannot cause', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const other = await signIn(person);
    const page = await browser.open('/auth/logout');
    const cookie = browser.cookies.get(SESSION) ?? '';
    const foreign = await browser.submit(page, {}, { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.submit(page)).url.pathname).toBe('/auth/login');
    expect(browser.cookies.get(SESSION)).toBeUndefined();
    browser.cookies.set(SESSION, cookie);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(other)).toBe(true);
    expect((await listAudit(service, person.accountId)).at(-1)).toBe('account.session_ended success');
  });

  test('does not count while the account is disabled', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    await service.service.database.transaction((tx) =>
      tx.updateMany('accounts', ['account_id'], [{ account_id: person.accountId, disabled_at: clock.now() }]),
    );
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('gets a new id when the person confirms who they are', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const before = browser.cookies.get(SESSION) ?? '';
    const page = await browser.open('/auth/confirm?return_to=/auth/logout');
    const wrong = await browser.submit(page, { password: 'a wrong password' });
    expect(wrong.status).toBe(401);
    expect(browser.cookies.get(SESSION)).toBe(before);
    const right = await browser.submit(wrong, { password: person.password });
    expect(right.url.pathname).toBe('/auth/logout');
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
    const thief = new FormBrowser(service.baseUrl);
    thief.cookies.set(SESSION, before);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await thief.open('/auth/confirm')).url.pathname).toBe('/auth/login');
  });

  test.runIf(process.env.TEST_STORE === 'postgres')('ends on every node at once', async () => {
    const node = await service.startNode();
    const browser = await signIn(await createPerson(service));
    const other = new FormBrowser(node.baseUrl);
    other.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '');
    expect(await isSignedIn(other)).toBe(true);
    await browser.submit(await browser.open('/auth/logout'));
    expect(await isSignedIn(other)).toBe(false);
    await node.stop();
  });
});

describe('over https', () => {
  let bind: string;
  const secured = useTestService(async () => {
    bind = `127.0.0.1:${await findFreePort()}`;
    return { clock, env: { SERVICE_BIND: bind, SERVICE_BASE_URL: 'https://tps.example' } };
  });

  test('cookies are bound to the host, and neither scripts nor plain http get them', async () => {
    const { email, password } = await createPerson(secured);
    const address = `http://${bind}/auth/login`;
    const page = await fetch(address);
    const [browser = ''] = page.headers.getSetCookie();
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
    const answer = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://tps.example', cookie: browser.split(';')[0] ?? '' },
      body: new URLSearchParams({ form_token, email, password }),
    });
    expect(answer.status).toBe(303);
    const cookies = [browser, ...answer.headers.getSetCookie()].map((cookie) => cookie.split('; '));
    const names = cookies.map(([pair = '']) => pair.replace(/=.*/, ''));
    expect(names).toEqual(['__Host-tps-browser', '__Host-tps-session', '__Host-tps-device']);
    for (const [, ...flags] of cookies) {
      const expected = ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure'];
      expect(flags.filter((flag) => !flag.startsWith('Max-Age'))).toEqual(expected);
    }
  });
});

function tokenOf(page: HtmlPage): Record<string, string> {
  return Object.fromEntries(page.forms[0]?.fields.filter(([name]) => name === 'form_token') ?? []);
}
