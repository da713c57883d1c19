import type { CreatedInvitation, Member } from '@tps/contract';
import { FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { useMailServer } from '@tps/testing/mail';
import { createPerson, type TestService, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';
import { InvitationService } from './invitation-service.ts';

const PASSWORD = 'a long enough password';
const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const mailServer = useMailServer();
// Limits that the test before has reached are forgotten.
beforeEach(() => clock.advance(2 * DAY_MS));

async function invite({ client, tenant: { credential } }: TestService, members: object = {}) {
  const body = { role: 'viewer', ...members };
  const answer = await client.send('POST', '/invitations', { credential, body });
  return answer.body as CreatedInvitation & { link: string };
}

async function memberOf({ client, tenant: { credential } }: TestService, email: string) {
  const { body } = await client.send('GET', '/members?limit=100', { credential });
  return (body as { data: Member[] }).data.find((member) => member.email === email);
}

/** Fills in what a page asks a person without an account for. */
async function enter(browser: FormBrowser, page: HtmlPage, email: string): Promise<HtmlPage> {
  const form = page.forms.find(({ names }) => names.has('token'));
  const values = { email, name: 'Kim', password: PASSWORD };
  const asked = Object.entries(values).filter(([name]) => form?.names.has(name));
  return browser.submit(page, Object.fromEntries(asked));
}

/** Everything that differs between two responses. */
const shown = (page: HtmlPage, email: string) => [
  page.status,
  page.title,
  page.text.replaceAll(email, 'the address'),
  page.url.pathname,
];

describe('with a mail server', () => {
  const service = useTestService(() => ({
    clock,
    env: { SERVICE_SMTP_URL: mailServer.url, SERVICE_SMTP_FROM: 'tps@example.com' },
  }));
  const linkTo = (email: string) => {
    const mail = mailServer.mails.findLast(({ to }) => to[0] === email);
    return /http\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  const newBrowser = () => new FormBrowser(service.baseUrl);

  test.each(['open', 'addressed'])(
    'the link of an %s invitation responds the same whether or not an address has an account',
    async (kind) => {
      const known = await createPerson(service, { email: `known-${kind}@example.com`, nowMs: clock.now() });
      const unverified = await createPerson(service, {
        email: `unverified-${kind}@example.com`,
        isEmailVerified: false,
        nowMs: clock.now(),
      });
      const { db } = service.service.database.read;
      const accounts = async () => (await db.selectFrom('accounts').select('account_id').execute()).length;
      const before = await accounts();
      const responses = [];
      for (const email of [known.email, unverified.email, `unknown-${kind}@example.com`]) {
        const { link, mail } = await invite(service, kind === 'open' ? {} : { email });
        expect(mail).toBe(kind === 'open' ? 'none' : 'sent');
        const mailed = mailServer.mails.length;
        const browser = newBrowser();
        const page = await browser.open(link);
        const answer = await enter(browser, page, email);
        expect(mailServer.mails.length).toBe(mailed + 1);
        const session = browser.cookies.names().includes('tps-session');
        responses.push([shown(page, email), shown(answer, email), session]);
      }
      expect(responses[0]).toEqual(responses[2]);
      expect(responses[1]).toEqual(responses[2]);
      expect(await accounts()).toBe(before);
    },
  );

  test('a new person creates the account through the mailed link, with a verified address', async () => {
    const email = 'new@example.com';
    const { link } = await invite(service, { role: 'analyst' });
    const browser = newBrowser();
    await enter(browser, await browser.open(link), email);
    const own = newBrowser();
    const page = await own.open(linkTo(email));
    expect(page.text).toContain(`Your e-mail address: ${email}`);
    // The address of the mail counts, not one that is sent.
    const form = Object.fromEntries(page.forms[0]?.fields ?? []);
    await own.post(page.url.pathname, {
      ...form,
      email: 'other@example.com',
      name: 'Kim',
      password: PASSWORD,
    });
    expect(await memberOf(service, email)).toMatchObject({ role: 'analyst', email_verified: true });
    expect(await memberOf(service, 'other@example.com')).toBeUndefined();
    expect((await newBrowser().open(linkTo(email))).status).toBe(404);
  });

  test('an owner of an account joins by signing in, from the mailed link', async () => {
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const { link } = await invite(service);
    const browser = newBrowser();
    await enter(browser, await browser.open(link), person.email);
    const page = await browser.open(linkTo(person.email));
    const login = page.links.find(({ url }) => url.pathname.endsWith('/login'));
    const back = await browser.submit(await browser.open(login?.url ?? ''), {
      email: person.email,
      password: person.password,
    });
    await browser.submit(back, {}, { button: `Join as ${person.email}` });
    expect(await memberOf(service, person.email)).toMatchObject({ role: 'viewer' });
  });

  test('a mailed link belongs to one invitation, for a day', async () => {
    const email = 'late@example.com';
    const [first, second] = [await invite(service), await invite(service)];
    const browser = newBrowser();
    await enter(browser, await browser.open(first.link), email);
    const proof = new URL(linkTo(email)).searchParams.get('proof') ?? '';
    const formOf = async (link: string) => (await newBrowser().open(link)).forms.at(-1)?.names;
    expect((await formOf(`${first.link}&proof=${proof}`))?.has('password')).toBe(true);
    expect((await formOf(`${second.link}&proof=${proof}`))?.has('password')).toBe(false);
    expect((await formOf(`${first.link}&proof=made-up`))?.has('password')).toBe(false);
    clock.advance(DAY_MS);
    expect((await formOf(`${first.link}&proof=${proof}`))?.has('password')).toBe(false);
  });

  test('a link sends a person few mails, and the limit does not depend on accounts', async () => {
    const statuses = [];
    for (const email of ['one@example.com', (await createPerson(service, { nowMs: clock.now() })).email]) {
      const { link } = await invite(service);
      const browser = newBrowser();
      const page = await browser.open(link);
      const own = [];
      for (let time = 0; time < 7; time += 1) own.push((await enter(browser, page, email)).status);
      statuses.push(own);
    }
    expect(statuses).toEqual([
      [200, 200, 200, 200, 200, 429, 429],
      [200, 200, 200, 200, 200, 429, 429],
    ]);
  });

  test('a mail that cannot be sent is reported, whether or not the address has an account', async () => {
    const { email: known } = await createPerson(service, { nowMs: clock.now() });
    mailServer.refuse(true);
    const statuses = [];
    for (const email of [known, 'no-account@example.com']) {
      const browser = newBrowser();
      const page = await enter(browser, await browser.open((await invite(service)).link), email);
      statuses.push([page.status, page.text.includes('could not be sent')]);
    }
    mailServer.refuse(false);
    expect(statuses).toEqual([
      [503, true],
      [503, true],
    ]);
  });

  test('the link of the operator creates an account without a mail', async () => {
    const { database } = service.service;
    const { link } = await database.transaction((tx) =>
      new InvitationService({ clock }).createAdminLink(tx, {
        tenantId: service.tenant.tenantId,
        authUrl: `${service.baseUrl}/auth`,
      }),
    );
    const browser = newBrowser();
    await enter(browser, await browser.open(link.reveal()), 'first@example.com');
    expect(await memberOf(service, 'first@example.com')).toMatchObject({ role: 'admin' });
  });
});

describe('without a mail server', () => {
  const service = useTestService({ clock });

  test('a tenant finds out about 20 addresses a day at most, with any number of invitations', async () => {
    const people = await Promise.all(
      Array.from({ length: 24 }, () => createPerson(service, { tenantId: null, nowMs: clock.now() })),
    );
    const respond = async (email: string, members: object) => {
      const browser = new FormBrowser(service.baseUrl);
      return (await enter(browser, await browser.open((await invite(service, members)).link), email)).status;
    };
    const statuses: number[] = [];
    for (const [index, { email }] of people.entries()) {
      statuses.push(await respond(email, index % 2 === 0 ? {} : { email }));
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
    // The response for an address without an account is the same.
    expect(await respond('unknown@example.com', {})).toBe(429);
    // The owner joins by signing in.
    const [person] = people;
    const browser = new FormBrowser(service.baseUrl);
    await signIn(browser, person ?? { email: '', password: '' });
    const { link } = await invite(service);
    await browser.submit(await browser.open(link), {}, { button: `Join as ${person?.email}` });
    expect(await memberOf(service, person?.email ?? '')).toMatchObject({ role: 'viewer' });
    clock.advance(DAY_MS);
    expect(await respond('unknown@example.com', {})).toBe(200);
  });
});
