import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { addPasskey, optionsOf } from '../passkeys/testing/passkey-pages.ts';
import { SoftAuthenticator } from '../passkeys/testing/soft-authenticator.ts';

/** With the cheap hashes of other tests, the queue is never full. */
const service = useTestService({
  env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true', SERVICE_AUTH_URL: 'http://localhost:0/auth' },
  passwordCost: { memoryKiB: 19_456, passes: 2 },
});
const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');

let addresses = 0;
/** Returns the header with an address of a network that has not been used before. */
function newAddress(): { 'x-forwarded-for': string } {
  addresses += 1;
  return { 'x-forwarded-for': `${10 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}.1` };
}

async function enter(
  browser: FormBrowser,
  { email, password }: { email: string; password: string },
): Promise<HtmlPage> {
  const headers = newAddress();
  const page = await browser.open('/auth/login?return_to=/auth/account', headers);
  return browser.submit(page, { email, password }, { headers });
}

/** A browser in which the person has signed in and out. */
async function knownBrowserOf(person: TestPerson): Promise<FormBrowser> {
  const browser = new FormBrowser(origin());
  await enter(browser, person);
  browser.cookies.remove('tps-session');
  return browser;
}

async function enterWithPasskey(phone: SoftAuthenticator): Promise<HtmlPage> {
  const browser = new FormBrowser(origin());
  const headers = newAddress();
  const login = await browser.open('/auth/login?return_to=/auth/account', headers);
  const page = await browser.submit(login, {}, { action: '/login/passkey', headers });
  return browser.submit(page, { answer: phone.get(optionsOf(page)) }, { headers });
}

/** Keeps 80 sign-ins under way, each from a new address and for an address without an account. */
async function flood(): Promise<{ end: () => Promise<number[]> }> {
  const browser = new FormBrowser(origin());
  const page = await browser.open('/auth/login', newAddress());
  const statuses: number[] = [];
  let isEnding = false;
  const work = async (worker: number) => {
    for (let time = 0; !isEnding && time < 1000; time += 1) {
      const email = `stranger-${worker}-${time}@example.com`;
      const answer = await browser.submit(page, { email, password: 'x' }, { headers: newAddress() });
      statuses.push(answer.status);
    }
  };
  const workers = Array.from({ length: 80 }, (_, worker) => work(worker));
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  return {
    async end() {
      isEnding = true;
      await Promise.all(workers);
      return statuses;
    },
  };
}

test('sign-ins from any number of addresses do not keep the people of a tenant out', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => createPerson(service)));
  const known = [];
  for (const person of people.slice(0, 4)) known.push({ person, browser: await knownBrowserOf(person) });
  const phone = new SoftAuthenticator(origin());
  const owner = new FormBrowser(origin());
  await enter(owner, await createPerson(service));
  await addPasskey(owner, phone);

  const { end } = await flood();
  const statusOf = async (page: Promise<HtmlPage>) => (await page).status;
  const statuses = await Promise.all([
    ...known.map(({ person, browser }) => statusOf(enter(browser, person))),
    ...people.slice(4).map((person) => statusOf(enter(new FormBrowser(origin()), person))),
    statusOf(enterWithPasskey(phone)),
  ]);
  const strangers = await end();

  expect(statuses).toEqual(Array.from({ length: 9 }, () => 200));
  expect(new Set(strangers)).toEqual(new Set([401]));
});
