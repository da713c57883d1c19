import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { dumpStore } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { generateSync } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = new ManualClock();
const service = useTestService({
  clock,
  env: { SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 7).toString('base64') },
});

// Failed attempts and page limits of the test before are forgotten.
beforeEach(() => clock.advance(2 * 86_400_000));

const newBrowser = () => new FormBrowser(service.baseUrl);
const titleOf = ({ title }: HtmlPage) => title.replace(/ ·.*/, '');

async function enterPassword(browser: FormBrowser, { email, password }: TestPerson): Promise<HtmlPage> {
  const page = await browser.open('/auth/login?return_to=/auth/account');
  return browser.submit(page, { email, password });
}

async function signIn(person: TestPerson): Promise<FormBrowser> {
  const browser = newBrowser();
  expect(titleOf(await enterPassword(browser, person))).toBe('Your account');
  return browser;
}

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  return titleOf(await browser.open('/auth/account')) === 'Your account';
}

async function act(browser: FormBrowser, path: string, values: Record<string, string>): Promise<HtmlPage> {
  return browser.submit(await browser.open(`/auth/account/${path}`), values, { action: path });
}

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });

function secretOf({ html }: HtmlPage): string {
  return /<code>([A-Z2-7 ]{32,})<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
}

/** Turns the authenticator app on. The next code is of a later step. */
async function enrol(browser: FormBrowser): Promise<{ secret: string; codes: string[] }> {
  const page = await act(browser, 'second-factor', { action: 'begin' });
  const secret = secretOf(page);
  const done = await browser.submit(page, { code: codeOf(secret) });
  clock.advance(MINUTE_MS);
  return {
    secret,
    codes: [...done.html.matchAll(/<code>((?:\w{4}-){3}\w{4})<\/code>/g)].map(([, code = '']) => code),
  };
}

test('the root of the pages leads to the account', async () => {
  const browser = await signIn(await createPerson(service));
  for (const path of ['/auth', '/auth/']) {
    expect((await browser.open(path)).url.pathname).toBe('/auth/account');
  }
});

describe('the account pages', () => {
  test.each(['', '/password', '/second-factor', '/passkeys', '/sessions', '/export', '/delete'])(
    'lead a browser that is not signed in from /account%s to the sign-in page and back',
    async (path) => {
      const person = await createPerson(service);
      const browser = newBrowser();
      const page = await browser.open(`/auth/account${path}`);
      expect(titleOf(page)).toBe('Sign in');
      const back = await browser.submit(page, { email: person.email, password: person.password });
      expect(back.url.pathname).toBe(`/auth/account${path}`);
    },
  );

  test.each(['password', 'second-factor', 'passkeys', 'export', 'delete'])(
    'ask again who the person is before %s, after ten minutes',
    async (path) => {
      const person = await createPerson(service);
      const browser = await signIn(person);
      clock.advance(10 * MINUTE_MS);
      const page = await browser.open(`/auth/account/${path}`);
      expect(titleOf(page)).toBe('Confirm that it is you');
      const form = { form_token: page.forms[0]?.fields.find(([name]) => name === 'form_token')?.[1] ?? '' };
      const values = { ...form, action: 'begin', password: 'a password of an attacker', email: person.email };
      const refused = await browser.post(`/auth/account/${path}`, values);
      expect(titleOf(refused)).toBe('Confirm that it is you');
      const back = await browser.submit(page, { password: person.password });
      expect(back.url.pathname).toBe(`/auth/account/${path}`);
    },
  );

  test('show who is signed in, with tenant and role, and escape what people wrote', async () => {
    const person = await createPerson(service, { role: 'analyst' });
    await service.service.database.transaction((tx) =>
      tx.updateMany('accounts', ['account_id'], [{ account_id: person.accountId, name: '<b>Ann</b>' }]),
    );
    const page = await (await signIn(person)).open('/auth/account');
    expect(page.text).toContain(person.email);
    expect(page.text).toContain('analyst');
    expect(page.text).toContain(service.tenant.tenantId);
    expect(page.html).toContain('&lt;b&gt;Ann&lt;/b&gt;');
  });

  test.each(['', '/password', '/second-factor', '/passkeys', '/sessions', '/export', '/delete'])(
    'can be read and used with a screen reader: /account%s',
    async (path) => {
      const browser = await signIn(await createPerson(service));
      const { html } = await browser.open(`/auth/account${path}`);
      const idsOf = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, id]) => id);
      const shown = [...html.matchAll(/<input (?![^>]*(?:type="hidden"| hidden))[^>]*>/g)];
      expect(idsOf(/<label for="([^"]+)"/g)).toHaveLength(shown.length);
      for (const [input] of shown)
        expect(idsOf(/<label for="([^"]+)"/g)).toContain(/ id="([^"]+)"/.exec(input)?.[1]);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html.match(/aria-current="page"/g)).toHaveLength(1);
      expect(html).toMatch(/<html lang="en">.*<title>[^<]+<.*<main>.*<h1>/s);
      // Headings of tables name their columns, and no row begins without text.
      expect(html.match(/<th\b(?! scope="col">\w)/g)).toBeNull();
    },
  );

  test('show a session that a provider has opened only its tenant', async () => {
    const person = await createPerson(service);
    const { tenantId: tenant_id } = await service.createTenant();
    const { accountId: account_id } = person;
    const browser = await signIn(person);
    await service.service.database.transaction(async (tx) => {
      const membership = { tenant_id, account_id, role: 'viewer', created_at: 1, created_by: 'test' };
      await tx.insertMany('memberships', [membership]);
      const sessions = tx.db.updateTable('account_sessions').set({ tenant_id });
      await sessions.where('account_id', '=', account_id).execute();
    });
    const { text } = await browser.open('/auth/account');
    expect(text).toContain(tenant_id);
    expect(text).not.toContain(service.tenant.tenantId);
    const paths = ['password', 'second-factor', 'passkeys', 'sessions', 'export', 'delete'];
    const pages = await Promise.all(paths.map((path) => browser.open(`/auth/account/${path}`)));
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 403));
  });

  test('show no text of a link', async () => {
    const browser = await signIn(await createPerson(service));
    const { html } = await browser.open('/auth/account/sessions?done=%3Cb%3Eowned');
    expect(html).not.toContain('owned');
    expect((await browser.open('/auth/account/sessions?done=constructor')).text).not.toContain('function');
  });
});

describe('a new password', () => {
  test('signs in, and ends the sessions of all other browsers', async () => {
    const person = await createPerson(service);
    const [browser, other] = [await signIn(person), await signIn(person)];
    const page = await act(browser, 'password', { password: 'another long password' });
    expect(page.text).toContain('The password is set.');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect(titleOf(await enterPassword(newBrowser(), person))).toBe('Sign in');
    await signIn({ ...person, password: 'another long password' });
  });

  test('that is too short is refused with the reason', async () => {
    const browser = await signIn(await createPerson(service));
    const page = await act(browser, 'password', { password: 'short' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('at least 12 characters')]);
  });
});

describe('an authenticator app', () => {
  test('is asked for after the password, and signs in once per code', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const other = await signIn(person);
    const { secret } = await enrol(browser);
    expect(await isSignedIn(other)).toBe(false);
    const [first, second] = [newBrowser(), newBrowser()];
    const pages = [await enterPassword(first, person), await enterPassword(second, person)];
    expect(pages.map(titleOf)).toEqual(['Enter a code', 'Enter a code']);
    expect(await isSignedIn(first)).toBe(false);
    const code = codeOf(secret);
    const [one, two] = await Promise.all([
      first.submit(pages[0] as HtmlPage, { code }),
      second.submit(pages[1] as HtmlPage, { code }),
    ]);
    expect([one, two].map(titleOf).toSorted()).toEqual(['Enter a code', 'Your account']);
    expect(await listAudit(service, person.accountId)).toContain('account.totp_enabled success');
  });

  test('gets a new secret each time it is set up: one that a thief has seen does not work', async () => {
    const person = await createPerson(service);
    const [thief, browser] = [await signIn(person), await signIn(person)];
    const seen = secretOf(await act(thief, 'second-factor', { action: 'begin' }));
    expect(secretOf(await browser.open('/auth/account/second-factor'))).toBe('');
    const page = await act(browser, 'second-factor', { action: 'begin' });
    expect(secretOf(page)).not.toBe(seen);
    const again = await browser.submit(page, { code: codeOf(seen) });
    expect([again.status, secretOf(again)]).toEqual([400, secretOf(page)]);
    expect(titleOf(await browser.submit(again, { code: codeOf(secretOf(again)) }))).toBe('Recovery codes');
  });

  test('is asked for by the page that confirms who the person is', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const { secret } = await enrol(browser);
    clock.advance(10 * MINUTE_MS);
    const page = await browser.open('/auth/account/delete');
    const { password } = person;
    expect((await browser.submit(page, { password, code: '000000' })).status).toBe(401);
    expect((await browser.submit(page, { password: 'a wrong password', code: codeOf(secret) })).status).toBe(
      401,
    );
    clock.advance(MINUTE_MS);
    const done = await browser.submit(page, { password, code: codeOf(secret) });
    expect(done.url.pathname).toBe('/auth/account/delete');
  });

  test('cannot be guessed: after a few codes, further ones wait, also in another browser', async () => {
    const person = await createPerson(service);
    const { secret } = await enrol(await signIn(person));
    const browser = newBrowser();
    const page = await enterPassword(browser, person);
    const statuses = [];
    for (let tried = 0; tried < 6; tried += 1) {
      statuses.push((await browser.submit(page, { code: String(tried).repeat(6) })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const other = newBrowser();
    expect((await other.submit(await enterPassword(other, person), { code: codeOf(secret) })).status).toBe(
      429,
    );
    clock.advance(MINUTE_MS);
    expect(titleOf(await other.submit(await enterPassword(other, person), { code: codeOf(secret) }))).toBe(
      'Your account',
    );
  });

  test('can be replaced once by each of ten recovery codes', async () => {
    const person = await createPerson(service);
    const { codes } = await enrol(await signIn(person));
    expect(codes).toHaveLength(10);
    const [code = ''] = codes;
    const enterCode = async () => {
      const browser = newBrowser();
      return titleOf(await browser.submit(await enterPassword(browser, person), { code }));
    };
    expect([await enterCode(), await enterCode()]).toEqual(['Your account', 'Enter a code']);
  });

  test('is removed with its codes, and other browsers are signed out', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const { secret } = await enrol(browser);
    const other = newBrowser();
    await other.submit(await enterPassword(other, person), { code: codeOf(secret) });
    const page = await act(browser, 'second-factor', { action: 'remove' });
    expect(page.text).toContain('were removed');
    expect(await isSignedIn(other)).toBe(false);
    await signIn(person);
    expect(await listAudit(service, person.accountId)).toContain('account.totp_disabled success');
  });

  test('leaves neither its secret nor a recovery code in the store or the log', async () => {
    const { secret, codes } = await enrol(await signIn(await createPerson(service)));
    const dump = await dumpStore(service.store);
    expect(secret).toHaveLength(32);
    for (const hidden of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(dump).not.toContain(hidden);
      expect(service.log()).not.toContain(hidden);
    }
  });
});

describe('the list of sessions', () => {
  test('marks this browser, and ends another one at once', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    clock.advance(1000);
    const other = await signIn(person);
    const page = await browser.open('/auth/account/sessions');
    expect(page.text.match(/FormBrowser/g)).toHaveLength(2);
    expect(page.text.match(/this browser/g)).toHaveLength(1);
    // The newest session is listed first, and this browser signed in first.
    await browser.submit(page, { session_id: sessionIds(page)[0] ?? '' });
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
  });

  test('does not end the session of another account', async () => {
    const [ann, bob] = [await createPerson(service), await createPerson(service)];
    const [annBrowser, bobBrowser] = [await signIn(ann), await signIn(bob)];
    const [bobSession = ''] = sessionIds(await bobBrowser.open('/auth/account/sessions'));
    await annBrowser.submit(await annBrowser.open('/auth/account/sessions'), { session_id: bobSession });
    expect(await isSignedIn(bobBrowser)).toBe(true);
  });

  test('ends all others, or all', async () => {
    const person = await createPerson(service);
    const [browser, other] = [await signIn(person), await signIn(person)];
    await act(browser, 'sessions', { action: 'end_others' });
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    const again = await signIn(person);
    expect(titleOf(await act(browser, 'sessions', { action: 'end_all' }))).toBe('Sign in');
    expect([await isSignedIn(browser), await isSignedIn(again)]).toEqual([false, false]);
    expect(await listAudit(service, person.accountId)).toContain('account.session_ended success');
  });
});

function sessionIds({ html }: HtmlPage): string[] {
  return [...html.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id = '']) => id);
}

test('the export has what the service keeps about a person, without secrets', async () => {
  const person = await createPerson(service, { role: 'analyst' });
  const browser = await signIn(person);
  await enrol(browser);
  const page = await act(browser, 'export', {});
  expect(page.headers.get('content-disposition')).toBe(`attachment; filename="${person.accountId}.json"`);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const data = JSON.parse(page.html);
  expect(data).toMatchObject({
    account: { account_id: person.accountId, email: person.email, name: person.name, has_password: true },
    tenants: [{ tenant_id: service.tenant.tenantId, role: 'analyst' }],
    sessions: [{ user_agent: 'FormBrowser', methods: ['password'] }],
    authenticator_app: { unused_recovery_codes: 10 },
    passkeys: [],
    applications: [],
    sign_on_identities: [],
    saved_views: [],
  });
  expect(data.audit_entries.map(({ action }: { action: string }) => action)).toContain(
    'account.totp_enabled',
  );
  expect(page.html).not.toMatch(/_hash|\$argon2|sealed/);
  expect(await listAudit(service, person.accountId)).toContain('account.exported success');
});
