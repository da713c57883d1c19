import { FormBrowser, type HtmlPage, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { optionsOf } from '../passkeys/testing/passkey-pages.ts';
import { SoftAuthenticator } from '../passkeys/testing/soft-authenticator.ts';

const service = useTestService({
  env: {
    // Browsers have no passkeys for an IP address.
    SERVICE_AUTH_URL: 'http://localhost:0/auth',
    SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 7).toString('base64'),
  },
});
const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');

async function begin() {
  const person = await createPerson(service);
  const browser = new FormBrowser(origin());
  await signIn(browser, person);
  return { person, browser };
}

/** Ends all sessions of an account, as the first proof of its address does, while a request of one of them is under way. */
async function endSessionsDuring(accountId: string, request: () => Promise<HtmlPage>): Promise<HtmlPage> {
  const { database } = service.service;
  const { answer } = await database.transaction(async (tx) => {
    await tx.db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).execute();
    await tx.db.updateTable('accounts').set({ name: 'Locked' }).where('account_id', '=', accountId).execute();
    await tx.db
      .updateTable('memberships')
      .set({ created_by: 'x' })
      .where('account_id', '=', accountId)
      .execute();
    const begun = request();
    // Time enough for the request to read its session and to reach the account.
    const { credential } = service.tenant;
    for (let round = 0; round < 50; round += 1) await service.client.send('GET', '/members', { credential });
    await tx.db.deleteFrom('account_sessions').where('account_id', '=', accountId).execute();
    return { answer: begun };
  });
  return answer;
}

const countOf = async (table: 'account_passkeys' | 'account_totp' | 'oauth_consents', accountId: string) => {
  const { db } = service.service.database.read;
  return (await db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()).length;
};

test('a password that a session sets while it ends is not set', async () => {
  const { person, browser } = await begin();
  const page = await browser.open('/auth/account/password');
  const password = 'a password of the ended session';
  const done = await endSessionsDuring(person.accountId, () => browser.submit(page, { password }));
  expect(done.title).toContain('Sign in');
  expect((await signIn(new FormBrowser(origin()), { ...person, password })).status).toBe(401);
});

test('a passkey that a session adds while it ends is not added', async () => {
  const { person, browser } = await begin();
  const page = await browser.submit(await browser.open('/auth/account/passkeys'), { name: 'Phone' });
  const answer = new SoftAuthenticator(origin()).create(optionsOf(page));
  await endSessionsDuring(person.accountId, () => browser.submit(page, { answer }));
  expect(await countOf('account_passkeys', person.accountId)).toBe(0);
});

test('an authenticator app that a session sets up while it ends is not set up', async () => {
  const { person, browser } = await begin();
  const page = await browser.open('/auth/account/second-factor');
  await endSessionsDuring(person.accountId, () =>
    browser.submit(page, { action: 'begin' }, { action: 'second-factor' }),
  );
  expect(await countOf('account_totp', person.accountId)).toBe(0);
});

test('an application that a session allows while it ends gets no access', async () => {
  const { person, browser } = await begin();
  const { client, tenant } = service;
  const application = await TestApplication.register({ client, tenant, baseUrl: origin() });
  const page = await browser.open(application.authorizationUrl());
  const done = await endSessionsDuring(person.accountId, () => browser.submit(page, {}, { button: 'Allow' }));
  expect(done.leftTo).toBeUndefined();
  expect(await countOf('oauth_consents', person.accountId)).toBe(0);
});
