import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import type { Queries } from '../../../database/index.ts';
import { purgeSignIns } from '../purge-sign-ins.ts';
import { type Attempt, LoginThrottle } from './login-throttle.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const clock = new ManualClock();
const service = useTestService({ clock, env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' } });

// The failures of the test before are forgotten. The limit of pages, which on PostgreSQL has the clock of the store, is
// counted by address.
let headers = { 'x-forwarded-for': '192.0.2.0' };
let tests = 0;
beforeEach(() => {
  clock.advance(2 * DAY_MS);
  tests += 1;
  headers = { 'x-forwarded-for': `192.0.2.${tests}` };
});

type Credentials = Pick<TestPerson, 'email' | 'password'>;

async function enter(
  { email, password }: Credentials,
  browser = new FormBrowser(service.baseUrl),
): Promise<HtmlPage> {
  const page = await browser.open('/auth/login?return_to=/auth/logout', headers);
  return browser.submit(page, { email, password }, { headers });
}

function wrong({ email }: Pick<Credentials, 'email'>): Credentials {
  return { email, password: 'a wrong password' };
}

/** Returns the statuses of sign-ins one after the other, and the last `Retry-After`. */
async function fail(credentials: Credentials, times: number): Promise<{ statuses: number[]; waitS: number }> {
  const statuses = [];
  let waitS = 0;
  for (let time = 0; time < times; time += 1) {
    const page = await enter(credentials);
    statuses.push(page.status);
    waitS = Number(page.headers.get('retry-after') ?? 0);
  }
  return { statuses, waitS };
}

async function auditActions(accountId: string): Promise<string[]> {
  const rows = await service.service.database.read.db
    .selectFrom('audit_entries')
    .select('action')
    .where('resource_id', '=', accountId)
    .orderBy('audit_id')
    .execute();
  return rows.map(({ action }) => action);
}

test('attempts are delayed after five failures, whether or not the account exists', async () => {
  const person = await createPerson(service);
  const unknown = { email: 'unknown@example.com', password: 'x' };
  const known = await fail(wrong(person), 6);
  expect(known).toEqual({ statuses: [401, 401, 401, 401, 401, 429], waitS: 1 });
  expect(await fail(unknown, 6)).toEqual(known);
  expect((await enter(person)).status).toBe(429);
  clock.advance(1000);
  expect((await enter(person)).title).toContain('Sign out');
  // The success has cleared the count.
  expect((await fail(wrong(person), 5)).statuses).toEqual([401, 401, 401, 401, 401]);
});

test('the delay doubles up to 15 minutes, and a refused attempt does not prolong it', async () => {
  const person = await createPerson(service);
  await fail(wrong(person), 5);
  const waits = [];
  for (let round = 0; round < 14; round += 1) {
    const { waitS } = await fail(wrong(person), 1);
    expect((await fail(wrong(person), 1)).waitS).toBe(waitS);
    waits.push(waitS);
    clock.advance(waitS * 1000);
    expect((await enter(wrong(person))).status).toBe(401);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  clock.advance(15 * MINUTE_MS);
  expect((await enter(person)).title).toContain('Sign out');
});

test('others cannot keep a person out of a browser in which they have signed in', async () => {
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  await enter(person, browser);
  await browser.submit(await browser.open('/auth/logout'));
  await fail(wrong(person), 40);
  expect((await enter(person)).status).toBe(429);
  expect((await enter(person, browser)).title).toContain('Sign out');

  // The cookie marks the browser for this person only, and has a budget too.
  const other = await createPerson(service);
  const forged = new FormBrowser(service.baseUrl);
  forged.cookies.set('tps-device', `${'A'.repeat(22)}.${'A'.repeat(43)}`);
  await fail(wrong(other), 5);
  expect((await enter(other, forged)).status).toBe(429);
  await browser.submit(await browser.open('/auth/logout'));
  expect((await enter(other, browser)).status).toBe(429);
  const statuses = [];
  for (let time = 0; time < 6; time += 1) statuses.push((await enter(wrong(person), browser)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test('a browser that was known under an earlier password has no separate count', async () => {
  const person = await createPerson(service);
  const earlier = new FormBrowser(service.baseUrl);
  await enter(person, earlier);
  const own = new FormBrowser(service.baseUrl);
  await enter(person, own);
  clock.advance(1);
  const password = 'another long password';
  await own.submit(await own.open('/auth/account/password', headers), { password }, { headers });
  await fail(wrong(person), 5);
  expect((await enter({ ...person, password }, earlier)).status).toBe(429);
  // The browser in which the person set the password stays known.
  await own.submit(await own.open('/auth/logout'));
  expect((await enter({ ...person, password }, own)).title).toContain('Sign out');
  // The others become known again when the person signs in there.
  clock.advance(MINUTE_MS);
  expect((await enter({ ...person, password }, earlier)).title).toContain('Sign out');
  await earlier.submit(await earlier.open('/auth/logout'));
  await fail(wrong(person), 6);
  expect((await enter({ ...person, password }, earlier)).title).toContain('Sign out');
});

test('simultaneous attempts on two nodes share one budget', async () => {
  const { database } = service.service;
  const nodes = [1, 2].map(() => new LoginThrottle({ database, clock, key: Buffer.alloc(32) }));
  const keys = [{ budget: 'account', value: 'x' } as const, { budget: 'address', value: 'x' } as const];
  const [first] = nodes;
  await first?.admit(keys);
  const attempts = Array.from({ length: 40 }, (_, index) => nodes[index % 2]?.admit(keys));
  const outcomes = await Promise.all(attempts);
  expect(outcomes.filter((outcome) => outcome?.allowed)).toHaveLength(4);
});

test('a free attempt delays no other, whichever of two clocks is ahead', async () => {
  const { database } = service.service;
  const [ahead, behind] = [new ManualClock(clock.now() + 5), clock].map(
    (own) => new LoginThrottle({ database, clock: own, key: Buffer.alloc(32, 2) }),
  );
  const keys = [{ budget: 'account', value: 'z' } as const];
  expect(await ahead?.admit(keys)).toMatchObject({ allowed: true });
  expect(await behind?.admit(keys)).toMatchObject({ allowed: true });
});

test('of a hundred simultaneous attempts, five are made', async () => {
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  const page = await browser.open('/auth/login');
  const pages = await Promise.all(
    Array.from({ length: 100 }, () => browser.submit(page, wrong(person), { headers })),
  );
  const made = pages.filter(({ status }) => status === 401);
  expect(made).toHaveLength(5);
  expect(pages.filter(({ status }) => status === 429)).toHaveLength(95);
});

test('attempts and successes under the same keys do not wait for each other in a circle', async () => {
  const { database } = service.service;
  const throttle = new LoginThrottle({ database, clock, key: Buffer.alloc(32, 1) });
  const login = async (value: string) => {
    const keys = [{ budget: 'account', value } as const, { budget: 'address', value: 'y' } as const];
    const attempt = await throttle.admit(keys);
    if (attempt.allowed) await database.transaction((tx) => throttle.succeed(tx, attempt));
    return 'ended';
  };
  const logins = Array.from({ length: 60 }, (_, index) => login(`account ${index % 6}`));
  const outcomes = await Promise.allSettled(logins);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
});

test('an address that tries many accounts is delayed, even after it signs in to its own', async () => {
  const own = await createPerson(service);
  for (let index = 0; index < 29; index += 1) await enter(wrong({ email: `someone-${index}@example.com` }));
  expect((await enter(own)).title).toContain('Sign out');
  expect((await enter(wrong({ email: 'another@example.com' }))).status).toBe(401);
  const blocked = await enter(wrong({ email: 'yet-another@example.com' }));
  expect(blocked.status).toBe(429);
  // What was refused is not stored.
  const { database } = service.service;
  const count = async () =>
    (await database.read.db.selectFrom('login_failures').select('key_hash').execute()).length;
  const before = await count();
  await enter(wrong({ email: 'and-another@example.com' }));
  expect(await count()).toBe(before);
  clock.advance(DAY_MS + 1);
  await purgeSignIns({ database, clock });
  expect(await count()).toBe(0);
});

test('the audit log has the first failures of an account, and the delay', async () => {
  const person = await createPerson(service);
  await fail(wrong(person), 5);
  for (let time = 0; time < 3; time += 1) {
    clock.advance(MINUTE_MS);
    await fail(wrong(person), 1);
  }
  expect(await auditActions(person.accountId)).toEqual([
    'account.login_failed',
    'account.login_failed',
    'account.login_failed',
    'account.locked',
  ]);
});

test('confirming who one is uses the same budget', async () => {
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  await enter(person, browser);
  browser.cookies.remove('tps-device');
  const page = await browser.open('/auth/confirm?return_to=/auth/logout');
  await fail(wrong(person), 5);
  const blocked = await browser.submit(page, { password: person.password }, { headers });
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '1']);
  clock.advance(1000);
  expect((await browser.submit(blocked, { password: person.password }, { headers })).title).toContain(
    'Sign out',
  );
});

test.runIf(process.env.TEST_STORE === 'postgres')(
  'two nodes that count one address for a tenant at a time do not wait for each other',
  async () => {
    const { database } = service.service;
    const throttle = new LoginThrottle({ database, clock, key: Buffer.alloc(32, 7) });
    const known = { budget: 'known', value: 'tnt_1' } as const;
    const address = { budget: 'known_address', value: 'tnt_1 kim@example.com' } as const;
    const admit = async (tx: Queries) => (await throttle.admitWithin(tx, [known])) as Attempt;
    await database.transaction((tx) => throttle.admitWithin(tx, [address]));
    const attempt = await database.transaction(admit);
    const { beside } = await database.transaction(async (tx) => {
      const own = await admit(tx);
      const counting = database.transaction((other) => throttle.countOnce(other, attempt, address));
      await waitUntil(async () => (await countWaiting(tx)) > 0);
      // Fails if the other transaction, which waits for the count of the tenant, holds that of the address.
      await throttle.countOnce(tx, own, address);
      return { beside: counting };
    });
    await beside;
  },
);
