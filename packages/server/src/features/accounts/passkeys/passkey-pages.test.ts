import { FormBrowser, type HtmlPage } from '@tps/testing/browser';
import { createPerson, listAudit, type TestPerson, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { addPasskey as addPasskeyOf, openPasskeyLogin, optionsOf } from './testing/passkey-pages.ts';
import { SoftAuthenticator } from './testing/soft-authenticator.ts';

/** Browsers have no passkeys for an IP address. */
const service = useTestService({ env: { SERVICE_AUTH_URL: 'http://localhost:0/auth' } });
const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');

const newBrowser = () => new FormBrowser(origin());
const titleOf = ({ title }: HtmlPage) => title.replace(/ ·.*/, '');

async function signIn({ email, password }: TestPerson): Promise<FormBrowser> {
  const browser = newBrowser();
  await browser.submit(await browser.open('/auth/login?return_to=/auth/account'), { email, password });
  return browser;
}

async function addPasskey(browser: FormBrowser): Promise<SoftAuthenticator> {
  const phone = new SoftAuthenticator(origin());
  expect((await addPasskeyOf(browser, phone)).text).toContain('The passkey was added.');
  return phone;
}

describe('with a passkey', () => {
  test('a person signs in without a password, and a replayed answer signs no one in', async () => {
    const person = await createPerson(service);
    const phone = await addPasskey(await signIn(person));
    const browser = newBrowser();
    const page = await openPasskeyLogin(browser);
    const answer = phone.get(optionsOf(page));
    expect(titleOf(await browser.submit(page, { answer }))).toBe('Your account');
    const thief = newBrowser();
    const refused = await thief.submit(await openPasskeyLogin(thief), { answer });
    expect([refused.status, titleOf(await thief.open('/auth/account'))]).toEqual([401, 'Sign in']);
    const list = await browser.open('/auth/account/passkeys');
    expect(list.text).toContain("Ann's phone");
    expect(list.text).not.toContain('never');
    expect(await listAudit(service, person.accountId)).toEqual([
      'account.login success',
      'account.passkey_added success',
      'account.login success',
    ]);
  });

  test('whose counter goes back, no one signs in, and the audit log has it', async () => {
    const person = await createPerson(service);
    const phone = await addPasskey(await signIn(person));
    const statuses = [];
    for (const counter of [7, 6]) {
      const browser = newBrowser();
      const page = await openPasskeyLogin(browser);
      statuses.push((await browser.submit(page, { answer: phone.get(optionsOf(page), { counter }) })).status);
    }
    expect(statuses).toEqual([200, 401]);
    expect((await listAudit(service, person.accountId)).at(-1)).toBe('account.passkey_refused denied');
  });

  test('a person proves again who they are, and gets a new session', async () => {
    const person = await createPerson(service);
    const browser = await signIn(person);
    const phone = await addPasskey(browser);
    const before = browser.cookies.get('tps-session');
    const page = await browser.submit(
      await browser.open('/auth/confirm?return_to=/auth/account'),
      {},
      { action: '/confirm/passkey' },
    );
    const done = await browser.submit(page, { answer: phone.get(optionsOf(page)) });
    expect(titleOf(done)).toBe('Your account');
    expect(browser.cookies.get('tps-session')).not.toBe(before);
    expect(await listAudit(service, person.accountId)).toContain('account.reauthenticated success');
  });

  test('of another account, a person does not prove who they are', async () => {
    const [ann, bob] = [await createPerson(service), await createPerson(service)];
    const phone = await addPasskey(await signIn(ann));
    const browser = await signIn(bob);
    await addPasskey(browser);
    const page = await browser.submit(
      await browser.open('/auth/confirm?return_to=/auth/account'),
      {},
      { action: '/confirm/passkey' },
    );
    expect((await browser.submit(page, { answer: phone.get(optionsOf(page)) })).status).toBe(401);
  });

  test('that was removed, no one signs in, and other browsers are signed out', async () => {
    const browser = await signIn(await createPerson(service));
    const phone = await addPasskey(browser);
    const other = newBrowser();
    const page = await openPasskeyLogin(other);
    await other.submit(page, { answer: phone.get(optionsOf(page)) });
    expect(titleOf(await other.open('/auth/account'))).toBe('Your account');
    const removed = await browser.submit(await browser.open('/auth/account/passkeys'), {
      credential_id: phone.id,
    });
    expect(removed.text).toContain('The passkey was removed.');
    expect(titleOf(await other.open('/auth/account'))).toBe('Sign in');
    const again = await openPasskeyLogin(other);
    expect((await other.submit(again, { answer: phone.get(optionsOf(again)) })).status).toBe(401);
  });

  test('a person does not sign in whose account is disabled', async () => {
    const { tenantId } = await service.createTenant();
    const person = await createPerson(service, { tenantId });
    const phone = await addPasskey(await signIn(person));
    const row = { account_id: person.accountId, disabled_at: 1 };
    await service.service.database.transaction((tx) => tx.updateMany('accounts', ['account_id'], [row]));
    const browser = newBrowser();
    const page = await openPasskeyLogin(browser);
    const refused = await browser.submit(page, { answer: phone.get(optionsOf(page)) });
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('The passkey was not accepted.'),
    ]);
    expect(titleOf(await browser.open('/auth/account'))).toBe('Sign in');
  });

  test('the service leads to its own pages only', async () => {
    const phone = await addPasskey(await signIn(await createPerson(service)));
    const browser = newBrowser();
    const page = await openPasskeyLogin(browser);
    const values = { answer: phone.get(optionsOf(page)), return_to: 'https://evil.example/' };
    expect((await browser.submit(page, values)).url.pathname).toBe('/console');
  });
});
