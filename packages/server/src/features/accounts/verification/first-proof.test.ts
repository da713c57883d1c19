import type { CreatedInvitation, Member } from '@tps/contract';
import { approveDevice, authorize, FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { useMailServer } from '@tps/testing/mail';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, listAudit, type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { generateSync } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import { addPasskey, openPasskeyLogin, optionsOf } from '../passkeys/testing/passkey-pages.ts';
import { SoftAuthenticator } from '../passkeys/testing/soft-authenticator.ts';

const clock = new ManualClock(Date.now());
const mailServer = useMailServer();
const service = useTestService(() => ({
  clock,
  env: {
    // Browsers have no passkeys for an IP address.
    SERVICE_AUTH_URL: 'http://localhost:0/auth',
    SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_SMTP_URL: mailServer.url,
    SERVICE_SMTP_FROM: 'tps@example.com',
  },
}));
// Failed attempts and page limits of the test before are forgotten.
beforeEach(() => clock.advance(2 * 86_400_000));

const CHOSEN_NAME = 'Your account is locked, see evil.example';
const [THEIR_PASSWORD, OWN_PASSWORD] = ['a password of the attacker', 'a password of the owner'];

const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');
const newBrowser = () => new FormBrowser(origin());
const titleOf = ({ title }: HtmlPage) => title.replace(/ ·.*/, '');
const isSignedIn = async (browser: FormBrowser) =>
  titleOf(await browser.open('/auth/account')) === 'Your account';
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to[0] === email);

let owners = 0;

async function invite({ credential }: TestTenant, members: object) {
  const { status, body } = await service.client.send('POST', '/invitations', { credential, body: members });
  expect(status).toBe(201);
  return body as CreatedInvitation & { link: string };
}

/**
 * Creates an account with the address of someone else, by a link of the operator to another tenant. Without a mail server, any
 * open invitation would do.
 */
async function squat(tenant: TestTenant) {
  owners += 1;
  const email = `owner-${owners}@example.com`;
  const browser = newBrowser();
  const { link, invitation_id: id } = await invite(tenant, { role: 'admin' });
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('invitations')
      .set({ created_by: 'command_line' })
      .where('invitation_id', '=', id)
      .execute(),
  );
  await browser.submit(await browser.open(link), { name: CHOSEN_NAME, email, password: THEIR_PASSWORD });
  const { account_id: accountId } = await service.service.database.read.db
    .selectFrom('accounts')
    .select('account_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { browser, email, accountId };
}

/** Turns an authenticator app on. Returns its recovery codes. */
async function addApp(browser: FormBrowser): Promise<string[]> {
  const page = await browser.submit(
    await browser.open('/auth/account/second-factor'),
    { action: 'begin' },
    { action: 'second-factor' },
  );
  const secret = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '') ?? '';
  const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });
  const done = await browser.submit(page, { code });
  return [...done.html.matchAll(/<code>((?:\w{4}-){3}\w{4})<\/code>/g)].map(([, one = '']) => one);
}

/** Asks for a device code as `tps login` does, and allows it. Returns what the device does next. */
async function allowDevice(browser: FormBrowser) {
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'tps-cli', ...form });
    const response = await fetch(`${origin()}/auth${path}`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const { body } = await post('/device/code', { scope: 'devices:read' });
  expect((await approveDevice(browser, body.user_code ?? '')).title).toContain('is connected');
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return () => post('/token', { grant_type, device_code: body.device_code ?? '' });
}

async function allowApplication(browser: FormBrowser, tenant: TestTenant) {
  const { client } = service;
  const application = await TestApplication.register({ client, tenant, baseUrl: origin() });
  const address = application.authorizationUrl({ scope: 'devices:read' });
  const { body } = await application.exchange(await authorize(browser, address));
  const { access_token: credential, refresh_token: refreshToken } = body as {
    access_token: string;
    refresh_token: string;
  };
  expect((await client.send('GET', '/devices', { credential })).status).toBe(200);
  return {
    use: async () => (await client.send('GET', '/devices', { credential })).status,
    refresh: async () =>
      (await application.token({ grant_type: 'refresh_token', refresh_token: refreshToken })).status,
  };
}

/** Waits for the next mail to an address after the first `seen`, and returns its link. */
async function linkOf(email: string, seen = 0): Promise<string> {
  await waitUntil(() => mailsTo(email).length > seen);
  return /http\S+/.exec(mailsTo(email)[seen]?.text ?? '')?.[0] ?? '';
}

/** Requests a link by mail, as the owner of the address does. */
async function requestLink(email: string): Promise<string> {
  const seen = mailsTo(email).length;
  const browser = newBrowser();
  await browser.submit(await browser.open('/auth/reset'), { email });
  return linkOf(email, seen);
}

async function reset(email: string): Promise<HtmlPage> {
  const browser = newBrowser();
  const page = await browser.open(await requestLink(email));
  expect(page.text).toContain('This also verifies your e-mail address');
  return browser.submit(page, { name: 'Kim Owner', password: OWN_PASSWORD });
}

/** Exchanges the session of a browser for a token, as the console does. */
async function openConsole(browser: FormBrowser): Promise<string> {
  const url = new URL('/console/session', origin());
  const response = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: {
      cookie: browser.cookies.header(url),
      origin: origin(),
      'x-tps-console': '1',
      'content-type': 'application/json',
    },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function membersOf({ credential }: TestTenant): Promise<Member[]> {
  return ((await service.client.send('GET', '/members', { credential })).body as { data: Member[] }).data;
}

/** Everything that the attacker has set up in advance. */
async function setUp() {
  const theirs = await service.createTenant();
  const { browser, email, accountId } = await squat(theirs);
  const phone = new SoftAuthenticator(origin());
  await addPasskey(browser, phone);
  const recoveryCodes = await addApp(browser);
  const application = await allowApplication(browser, theirs);
  const pollDevice = await allowDevice(browser);
  const { tenantId } = theirs;
  const credential = await openConsole(browser);
  const invitation = await invite({ tenantId, credential }, { role: 'admin' });
  const { body: own } = await service.client.send('POST', '/tokens', {
    credential,
    body: { name: 'of a program', scopes: ['devices:read'] },
  });
  const { token: ofProgram } = own as { token: string };
  expect([recoveryCodes.length, await isSignedIn(browser)]).toEqual([10, true]);
  return { theirs, browser, email, accountId, phone, application, pollDevice, invitation, ofProgram };
}

async function signInByPasskey(phone: SoftAuthenticator): Promise<number> {
  const browser = newBrowser();
  const page = await openPasskeyLogin(browser);
  return (await browser.submit(page, { answer: phone.get(optionsOf(page)) })).status;
}

/** What the attacker has after the owner has proved the address: nothing but what programs of their own tenant use. */
async function expectNothingLeft(prepared: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  const { browser, email, accountId, phone, application, pollDevice, invitation, theirs, ofProgram } =
    prepared;
  expect(await signInByPasskey(phone)).toBe(401);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await signIn(newBrowser(), { email, password: THEIR_PASSWORD })).status).toBe(401);
  expect([await application.use(), await application.refresh()]).toEqual([401, 400]);
  expect((await pollDevice()).status).toBe(400);
  const { credential } = theirs;
  const path = `/invitations/${invitation.invitation_id}`;
  expect((await service.client.send('GET', path, { credential })).body).toMatchObject({ status: 'revoked' });
  expect((await service.client.send('GET', '/devices', { credential: ofProgram })).status).toBe(200);
  expect(await listAudit(service, accountId)).toContain('account.email_verified success');
}

describe('the first proof of an address ends what was set up in advance', () => {
  test('by the link in a mail, and the creator of the account does not get into a second tenant', async () => {
    const prepared = await setUp();
    const { email, phone } = prepared;
    const done = await reset(email);
    for (const item of ['the earlier password', '1 passkey', 'the authenticator app', '2 applications']) {
      expect(done.text).toContain(item);
    }
    await expectNothingLeft(prepared);

    // The owner needs no code of an app that they do not have.
    const own = newBrowser();
    await signIn(own, { email, password: OWN_PASSWORD });
    const page = await own.open('/auth/account');
    expect(page.text).toContain('Kim Owner');
    expect(page.text).not.toContain('not verified');
    const { link } = await invite(service.tenant, { role: 'admin', email });
    await own.submit(await own.open(link), {}, { button: `Join as ${email}` });
    const member = (await membersOf(service.tenant)).find((one) => one.email === email);
    expect(member).toMatchObject({ role: 'admin', email_verified: true, name: 'Kim Owner' });
    expect(await signInByPasskey(phone)).toBe(401);
  });

  test('by a mailed invitation, which ends the access of the creator of the account', async () => {
    const prepared = await setUp();
    const { email, accountId } = prepared;
    await invite(service.tenant, { role: 'analyst', email });
    const own = newBrowser();
    const page = await own.open(await linkOf(email));
    const done = await own.submit(page, { name: 'Kim Owner', password: OWN_PASSWORD });
    expect(done.text).toContain('has ended: the earlier password');
    await expectNothingLeft(prepared);
    const member = (await membersOf(service.tenant)).find((one) => one.email === email);
    expect(member).toMatchObject({ account_id: accountId, role: 'analyst', email_verified: true });
    expect(await isSignedIn(own)).toBe(true);
    await signIn(newBrowser(), { email, password: OWN_PASSWORD });
  });

  test('and a later link leaves passkeys, applications and sessions of the owner alone', async () => {
    const { email } = await squat(await service.createTenant());
    await reset(email);
    // The link and the notice.
    await waitUntil(() => mailsTo(email).length === 2);
    const own = newBrowser();
    await signIn(own, { email, password: OWN_PASSWORD });
    const phone = new SoftAuthenticator(origin());
    await addPasskey(own, phone);
    clock.advance(86_400_000);
    const browser = newBrowser();
    const page = await browser.open(await requestLink(email));
    expect(page.text).not.toContain('verifies');
    const done = await browser.submit(page, { password: 'another password of the owner' });
    expect(done.text).toContain('Your passkeys, and the applications');
    expect(await signInByPasskey(phone)).toBe(200);
  });
});

test('mails to an unverified address contain nothing that the creator of the account chose', async () => {
  const { email } = await squat(await service.createTenant());
  await reset(email);
  await waitUntil(() => mailsTo(email).length === 2);
  const [link, notice] = mailsTo(email);
  expect(link?.text).not.toContain('evil.example');
  expect(notice?.headers).toMatch(/^Subject: Your e-mail address is verified\r?$/m);
  expect(notice?.text).toMatch(/^- the earlier password\r?$/m);
  expect(notice?.text).not.toContain('evil.example');
});

test('a browser that was marked before the first proof is not a known browser afterwards', async () => {
  const { browser, email } = await squat(await service.createTenant());
  await browser.submit(await browser.open('/auth/logout'));
  await signIn(browser, { email, password: THEIR_PASSWORD });
  await browser.submit(await browser.open('/auth/logout'));
  await reset(email);
  const guess = async (from: FormBrowser) => (await signIn(from, { email, password: 'a guess' })).status;
  const other = newBrowser();
  const statuses: number[] = [];
  for (let time = 0; time < 6; time += 1) statuses.push(await guess(other));
  expect(statuses.at(-1)).toBe(429);
  expect(await guess(browser)).toBe(429);
});

describe('an account with an unverified address', () => {
  test('cannot join a second tenant, by an open invitation or one that was not mailed', async () => {
    const { browser, email } = await squat(await service.createTenant());
    for (const members of [{ role: 'viewer' }, { role: 'viewer', email }]) {
      const { link } = await invite(service.tenant, members);
      const page = await browser.open(link);
      expect(page.text).toContain(`You are signed in as ${email}, and this e-mail address is not verified`);
      // The form of another page, with the secret of this link.
      const form_token = (await browser.open('/auth/logout')).forms[0]?.fields[0]?.[1] ?? '';
      const token = new URL(link).searchParams.get('token') ?? '';
      const refused = await browser.post('/auth/invitation', { form_token, token, action: 'join' });
      expect(refused.status).toBe(403);
    }
    expect((await membersOf(service.tenant)).map((one) => one.email)).not.toContain(email);
  });

  test('is marked wherever the address is shown', async () => {
    const theirs = await service.createTenant();
    const { browser, email } = await squat(theirs);
    expect((await browser.open('/auth/account')).text).toContain(`${email} (not verified)`);
    expect(await membersOf(theirs)).toMatchObject([{ email, email_verified: false }]);
    const { client } = service;
    const application = await TestApplication.register({ client, tenant: theirs, baseUrl: origin() });
    const address = application.authorizationUrl({ scope: 'openid email devices:read' });
    expect((await browser.open(address)).text).toContain(`${email} (not verified)`);
    const { body } = await application.exchange(await authorize(browser, address));
    const [, claims = ''] = String(body.id_token).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      email,
      email_verified: false,
    });
  });

  test('joins a second tenant by the mailed link, with a new password and nothing older', async () => {
    const { browser, email } = await squat(await service.createTenant());
    const phone = new SoftAuthenticator(origin());
    await addPasskey(browser, phone);
    await invite(service.tenant, { role: 'viewer', email });
    const page = await browser.open(await linkOf(email));
    expect(page.text).toContain('This also verifies your e-mail address');
    await browser.submit(page, { name: 'Kim', password: OWN_PASSWORD });
    const member = (await membersOf(service.tenant)).find((one) => one.email === email);
    expect(member).toMatchObject({ email_verified: true, has_second_factor: false });
    expect(await signInByPasskey(phone)).toBe(401);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('of a person who is a member already can still get a higher role there', async () => {
    const person = await createPerson(service, { isEmailVerified: false, nowMs: clock.now() });
    const browser = newBrowser();
    await signIn(browser, person);
    await browser.submit(await browser.open((await invite(service.tenant, { role: 'analyst' })).link));
    const member = (await membersOf(service.tenant)).find((one) => one.email === person.email);
    expect(member).toMatchObject({ role: 'analyst', email_verified: false });
  });
});

describe('the link of an invitation', () => {
  test('verifies the address of a new account if it is the one in the mail', async () => {
    await invite(service.tenant, { role: 'viewer', email: 'mailed@example.com' });
    const browser = newBrowser();
    const page = await browser.open(await linkOf('mailed@example.com'));
    await browser.submit(page, { name: 'Kim', password: OWN_PASSWORD });
    const member = (await membersOf(service.tenant)).find((one) => one.email === 'mailed@example.com');
    expect(member).toMatchObject({ email_verified: true });
  });

  test('creates no account if it is the one that the inviter sees, also with a made-up proof', async () => {
    for (const [index, proof] of ['', '&proof=', '&proof=made-up'].entries()) {
      const email = `shown-${index}@example.com`;
      const { link } = await invite(service.tenant, { role: 'viewer', email });
      const browser = newBrowser();
      const page = await browser.open(`${link}${proof}`);
      const form = Object.fromEntries(page.forms[0]?.fields ?? []);
      const forged = { ...form, action: 'create', name: 'Kim', password: OWN_PASSWORD };
      expect(titleOf(await browser.post('/auth/invitation', forged))).toBe('Open the link in the mail');
      const member = (await membersOf(service.tenant)).find((one) => one.email === email);
      expect([member, await isSignedIn(browser)]).toEqual([undefined, false]);
    }
  });

  test('in a mail does not open an account whose address is verified', async () => {
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    await invite(service.tenant, { role: 'viewer', email: person.email });
    const browser = newBrowser();
    const page = await browser.open(await linkOf(person.email));
    expect((await browser.submit(page, { name: 'Eve', password: OWN_PASSWORD })).status).toBe(422);
    await signIn(browser, person);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
