import { FormBrowser } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { addPasskey, optionsOf } from './testing/passkey-pages.ts';
import { SoftAuthenticator } from './testing/soft-authenticator.ts';

const service = useTestService({
  env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true', SERVICE_AUTH_URL: 'http://localhost:0/auth' },
});
const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Stores challenges, each from another network. */
async function fill(networks: number): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: networks }, (_, index) => ({
    challenge_hash: `filled ${index}`,
    kind: 'passkey_login',
    account_id: null,
    payload: '{}',
    created_at: now - 1000,
    expires_at: now + 300_000,
    asked_by: `network 10.${index >> 8}.${index & 255}.0/24`,
  }));
  await service.service.database.transaction((tx) => tx.insertMany('account_challenges', rows));
}

test('challenges for thousands of networks do not prevent a sign-in with a passkey', async () => {
  await fill(2000);
  const { email, password } = await createPerson(service);
  const browser = new FormBrowser(origin());
  await browser.submit(await browser.open('/auth/login'), { email, password });
  const phone = new SoftAuthenticator(origin());
  await addPasskey(browser, phone);

  const own = new FormBrowser(origin());
  const login = await own.open('/auth/login?return_to=/auth/account');
  const honest = await own.submit(login, {}, { action: '/login/passkey', ...from('192.0.2.7') });
  const stranger = new FormBrowser(origin());
  const page = await stranger.open('/auth/login');
  for (let index = 0; index < 20; index += 1) {
    const asked = await stranger.submit(page, {}, { action: '/login/passkey', ...from(`10.0.${index}.9`) });
    expect(asked.status).toBe(200);
  }
  const { db } = service.service.database.read;
  const held = await db
    .selectFrom('account_challenges')
    .select('asked_by')
    .where('asked_by', 'like', 'network %')
    .execute();
  expect(held).toHaveLength(2000);
  const signedIn = await own.submit(honest, { answer: phone.get(optionsOf(honest)) });
  expect(signedIn.title).toContain('Your account');
});

test('a person has at most 20 challenges of a kind', async () => {
  const { email, password, accountId } = await createPerson(service);
  const browser = new FormBrowser(origin());
  await browser.submit(await browser.open('/auth/login'), { email, password });
  const page = await browser.open('/auth/account/passkeys');
  for (let time = 0; time < 25; time += 1) await browser.submit(page, { name: 'Phone' });
  const { db } = service.service.database.read;
  const held = await db
    .selectFrom('account_challenges')
    .select('kind')
    .where('account_id', '=', accountId)
    .execute();
  expect(held).toHaveLength(20);
});
