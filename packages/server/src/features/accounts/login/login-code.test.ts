import { randomBytes } from 'node:crypto';
import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { generateSync } from 'otplib';
import { beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { AccountId } from '../account.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import { SecondFactors } from '../second-factors/second-factors.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const LOGIN_MS = 10 * 60_000;

const key = randomBytes(32);
const clock = new ManualClock();
const service = useTestService({ clock, env: { SERVICE_SECRET_KEY_B64: key.toString('base64') } });
const factors = new SecondFactors({ secrets: new SecretBox({ masterKey: new Secret(key) }), clock });

// Failed attempts of the test before are forgotten.
beforeEach(() => clock.advance(2 * DAY_MS));

interface EnrolledPerson extends TestPerson {
  code(): string;
  readonly recoveryCodes: readonly string[];
}

/** Creates a person with an authenticator app. */
async function createEnrolled(): Promise<EnrolledPerson> {
  const person = await createPerson(service);
  const accountId = person.accountId as AccountId;
  const { database } = service.service;
  const secret = (await database.transaction((tx) => factors.begin(tx, accountId)))?.reveal() ?? '';
  const code = () => generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });
  const codes = await database.transaction((tx) => factors.confirm(tx, accountId, code()));
  clock.advance(STEP_MS);
  return { ...person, code, recoveryCodes: codes ?? [] };
}

async function enterPassword(
  { email, password }: TestPerson,
  browser = new FormBrowser(service.baseUrl),
): Promise<{ browser: FormBrowser; page: HtmlPage }> {
  const login = await browser.open('/auth/login?return_to=/auth/logout');
  const page = await browser.submit(login, { email, password });
  return { browser, page };
}

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  return (await browser.open('/auth/login?return_to=/auth/logout')).title.startsWith('Sign out');
}

test('the password alone does not sign in, and a code or a recovery code completes it', async () => {
  const person = await createEnrolled();
  const { browser, page } = await enterPassword(person);
  expect(page.url.pathname).toBe('/auth/login/code');
  expect(await isSignedIn(browser)).toBe(false);
  const wrong = await browser.submit(page, { code: '000000' });
  expect(wrong.status).toBe(401);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await browser.submit(wrong, { code: person.code() })).url.pathname).toBe('/auth/logout');
  expect(browser.cookies.get('tps-login')).toBeUndefined();

  const other = await enterPassword(person);
  await other.browser.submit(other.page, { code: person.recoveryCodes[0] ?? '' });
  expect(await isSignedIn(other.browser)).toBe(true);
});

test('a sign-in that has begun belongs to one browser, for ten minutes', async () => {
  const person = await createEnrolled();
  const { browser, page } = await enterPassword(person);
  const stranger = new FormBrowser(service.baseUrl);
  const form = await stranger.open('/auth/login/code');
  expect((await stranger.submit(form, { code: person.code() })).text).toContain('Enter the password again');
  clock.advance(LOGIN_MS);
  expect((await browser.submit(page, { code: person.code() })).text).toContain('Enter the password again');
  expect(await isSignedIn(browser)).toBe(false);
});

test('a sign-in that has begun ends when the credentials of the account change', async () => {
  const person = await createEnrolled();
  const { browser, page } = await enterPassword(person);
  await service.service.database.transaction((tx) =>
    challengeStore.removeOf(tx, person.accountId as AccountId),
  );
  expect((await browser.submit(page, { code: person.code() })).status).toBe(401);
  expect(await isSignedIn(browser)).toBe(false);
});

test('of two simultaneous codes for one sign-in, one signs in', async () => {
  const person = await createEnrolled();
  const { browser, page } = await enterPassword(person);
  const codes = [person.code(), person.recoveryCodes[0] ?? ''];
  const pages = await Promise.all(codes.map((code) => browser.submit(page, { code })));
  expect(pages.map(({ url }) => url.pathname).toSorted()).toEqual(['/auth/login/code', '/auth/logout']);
  const sessions = await service.service.database.read.db
    .selectFrom('account_sessions')
    .select('session_id')
    .where('account_id', '=', person.accountId)
    .execute();
  expect(sessions).toHaveLength(1);
});

test('guessing codes is delayed, also when the password is entered again', async () => {
  const person = await createEnrolled();
  const statuses = [];
  let waitS = 0;
  for (let time = 0; time < 6; time += 1) {
    const { browser, page } = await enterPassword(person);
    const answer = await browser.submit(page, { code: '000000' });
    statuses.push(answer.status);
    waitS = Number(answer.headers.get('retry-after'));
  }
  expect([statuses, waitS]).toEqual([[401, 401, 401, 401, 401, 429], 5]);
  const { browser, page } = await enterPassword(person);
  expect((await browser.submit(page, { code: person.code() })).status).toBe(429);
  clock.advance(5000);
  expect((await browser.submit(page, { code: person.code() })).url.pathname).toBe('/auth/logout');
});

test('confirming who one is needs the password and a code', async () => {
  const person = await createEnrolled();
  const { browser, page } = await enterPassword(person);
  await browser.submit(page, { code: person.code() });
  clock.advance(STEP_MS);
  const form = await browser.open('/auth/confirm?return_to=/auth/logout');
  const { password } = person;
  expect((await browser.submit(form, { password, code: '000000' })).status).toBe(401);
  expect((await browser.submit(form, { password: 'a wrong password', code: person.code() })).status).toBe(
    401,
  );
  // The wrong password did not use the code up.
  expect((await browser.submit(form, { password, code: person.code() })).url.pathname).toBe('/auth/logout');
});
