import { FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { type ReceivedMail, useMailServer } from '@tps/testing/mail';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { dumpStore } from '@tps/testing/store';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEW_PASSWORD = 'an entirely new password';

const clock = new ManualClock();
const mailServer = useMailServer();

describe('with a mail server', () => {
  const service = useTestService(() => ({
    clock,
    env: { SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
  }));
  // Failed attempts of the test before are forgotten.
  beforeEach(() => clock.advance(2 * DAY_MS));

  const newBrowser = () => new FormBrowser(service.baseUrl);

  async function ask(email: string, headers = {}): Promise<HtmlPage> {
    const browser = newBrowser();
    return browser.submit(await browser.open('/auth/reset'), { email }, { headers });
  }

  function mailsTo({ email }: Pick<TestPerson, 'email'>): ReceivedMail[] {
    return mailServer.mails.filter(({ to }) => to.length === 1 && to[0] === email);
  }

  /** Asks for a link and returns it from the mail. */
  async function getLink(person: TestPerson): Promise<URL> {
    const before = mailsTo(person).length;
    await ask(person.email, { 'x-forwarded-host': 'evil.example' });
    await waitUntil(() => mailsTo(person).length > before);
    const [link = ''] = /http\S+/.exec(mailsTo(person).at(-1)?.text ?? '') ?? [];
    return new URL(link);
  }

  async function setPassword(link: URL, password = NEW_PASSWORD): Promise<HtmlPage> {
    const browser = newBrowser();
    return browser.submit(await browser.open(link), { password });
  }

  async function isSignedIn(browser: FormBrowser): Promise<boolean> {
    return (await browser.open('/auth/login?return_to=/auth/logout')).title.startsWith('Sign out');
  }

  test('a link sets a password once, ends all sessions and is nowhere in log or store', async () => {
    const person = await createPerson(service);
    const signedIn = newBrowser();
    await signIn(signedIn, person);
    const link = await getLink(person);
    // Mail programs open links: that does not use them up.
    expect((await newBrowser().open(link)).status).toBe(200);
    const done = await setPassword(link);
    expect(done.title).toContain('The password is set');
    expect(done.text).toContain(
      'Your passkeys, and the applications that you have allowed, still have access.',
    );
    expect(await isSignedIn(signedIn)).toBe(false);
    expect((await signIn(newBrowser(), person)).status).toBe(401);
    await signIn(signedIn, { ...person, password: NEW_PASSWORD });
    expect(await isSignedIn(signedIn)).toBe(true);
    const again = await newBrowser().open(link);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('used before or has expired')]);
    expect(await listAudit(service, person.accountId)).toContain('account.password_changed success');
    const secret = link.searchParams.get('token') ?? 'none';
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(service.log()).not.toContain(secret);
    expect(JSON.stringify(await dumpStore(service.store))).not.toContain(secret);
  });

  test('a link makes no browser known, and ends the separate count of those that were', async () => {
    const person = await createPerson(service);
    const [earlier, resetting] = [newBrowser(), newBrowser()];
    await signIn(earlier, person);
    clock.advance(1);
    await resetting.submit(await resetting.open(await getLink(person)), { password: NEW_PASSWORD });
    for (let times = 0; times < 5; times += 1) await signIn(newBrowser(), person);
    const right = { ...person, password: NEW_PASSWORD };
    expect((await signIn(earlier, right)).status).toBe(429);
    expect((await signIn(resetting, right)).status).toBe(429);
  });

  test('a person who has signed in at a provider only sets a first password', async () => {
    const person = await createPerson(service);
    await service.service.database.transaction((tx) =>
      tx.db
        .updateTable('accounts')
        .set({ password_hash: null, password_changed_at: null })
        .where('account_id', '=', person.accountId)
        .execute(),
    );
    await setPassword(await getLink(person));
    expect((await signIn(newBrowser(), { ...person, password: NEW_PASSWORD })).status).toBe(200);
  });

  test('of two simultaneous uses of a link, one sets the password', async () => {
    const person = await createPerson(service);
    const link = await getLink(person);
    const browsers = [newBrowser(), newBrowser()];
    const pages = await Promise.all(browsers.map((browser) => browser.open(link)));
    const passwords = ['the first new password', 'the second new password'];
    const outcomes = await Promise.all(
      browsers.map((browser, index) =>
        browser.submit(pages[index] as HtmlPage, { password: passwords[index] ?? '' }),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const works = await Promise.all(
      passwords.map(async (password) => (await signIn(newBrowser(), { ...person, password })).status !== 401),
    );
    expect(works).toEqual(outcomes.map(({ status }) => status === 200));
  });

  test('a refused password does not use the link up, and an hour ends it', async () => {
    const person = await createPerson(service);
    const link = await getLink(person);
    const refused = await setPassword(link, person.email);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('cannot be your e-mail')]);
    clock.advance(HOUR_MS - 1);
    expect((await newBrowser().open(link)).status).toBe(200);
    clock.advance(1);
    expect((await newBrowser().open(link)).status).toBe(400);
  });

  test('a new password ends the links that were sent before', async () => {
    const person = await createPerson(service);
    const [first, second] = [await getLink(person), await getLink(person)];
    await setPassword(second);
    expect((await newBrowser().open(first)).status).toBe(400);
  });

  test('asking shows nothing about the account, and sends to the stored address only', async () => {
    const person = await createPerson(service, { email: 'Kim@example.com' });
    const known = await ask('ＫＩＭ@EXAMPLE.com');
    await waitUntil(() => mailsTo(person).length > 0);
    const unknown = await ask('unknown@example.com');
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    const statuses = async (email: string) => {
      const pages = [await ask(email), await ask(email), await ask(email)];
      return pages.map(({ status, headers }) => [status, headers.get('retry-after')]);
    };
    const limited = [
      [200, null],
      [200, null],
      [429, '60'],
    ];
    expect(await statuses(person.email)).toEqual(limited);
    expect(await statuses('unknown@example.com')).toEqual(limited);
    const invalid = await ask('someone@example.com\r\nbcc: x@y.z');
    expect(invalid.status).toBe(400);
  });

  test('the mail has one link, to the own address of the service', async () => {
    const person = await createPerson(service);
    const link = await getLink(person);
    const [mail] = mailsTo(person);
    expect(mail?.from).toBe('tps@example.com');
    expect(mail?.headers).toMatch(/^Subject: Set a new password\r?$/m);
    expect(mail?.text.match(/http/g)).toHaveLength(1);
    expect(link.origin).toBe(new URL(service.baseUrl).origin);
  });

  test('guessing links is delayed by address', async () => {
    const browser = newBrowser();
    const page = await browser.open(await getLink(await createPerson(service)));
    const statuses: number[] = [];
    for (let time = 0; time < 21; time += 1) {
      const token = String(time);
      statuses.push((await browser.submit(page, { token, password: NEW_PASSWORD })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
  });
});

describe('without a mail server', () => {
  const service = useTestService({ clock });

  test('the page names who can help, and takes no address', async () => {
    const browser = new FormBrowser(service.baseUrl);
    const page = await browser.open('/auth/reset');
    expect(page.text).toContain('This service sends no mail');
    expect(page.forms).toEqual([]);
  });
});
