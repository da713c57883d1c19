import { FormBrowser, signIn } from '@tps/testing/browser';
import { runCommand } from '@tps/testing/process';
import { createPerson, listAudit, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  return runCommand(['accounts', ...args], {
    SERVICE_DATABASE_URL: service.store.url,
    SERVICE_BASE_URL: service.baseUrl,
  });
}

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  return (await browser.open('/auth/login?return_to=/auth/logout')).title.startsWith('Sign out');
}

test('a disabled person is signed out of everything until the account is enabled', async () => {
  const person = await createPerson(service, { role: 'admin' });
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  const { tenantId } = service.tenant;
  const { database } = service.service;
  await database.transaction((tx) =>
    tx.insertMany('tokens', [
      {
        tenant_id: tenantId,
        token_id: 'tok_x',
        token_hash: 'x',
        name: 'x',
        scopes: '["status:read"]',
        environment: 'live',
        hint: 'x',
        created_at: 1,
        created_by: 'x',
        expires_at: Date.now() + 3_600_000,
        last_used_at: null,
        revoked_at: null,
        device_id: null,
        max_uses: null,
        uses: null,
        client_id: 'tps-cli',
        grant_id: `${tenantId}~x`,
        account_id: person.accountId,
        key_thumbprint: null,
        authenticated_at: 1,
      },
    ]),
  );
  await database.transaction((tx) =>
    tx.insertMany('invitations', [
      {
        tenant_id: tenantId,
        invitation_id: 'inv_x',
        token_hash: 'x',
        email: null,
        role: 'admin',
        created_at: 1,
        created_by: person.accountId,
        expires_at: Date.now() + 3_600_000,
        accepted_at: null,
        accepted_by: null,
        revoked_at: null,
      },
    ]),
  );
  await database.transaction((tx) =>
    tx.insertMany('holdings', [
      {
        ...{ tenant_id: tenantId, kind: 'invitation', holding_id: 'inv_x' },
        ...{ owner_id: person.accountId, via_client_id: null, owned_since: 1 },
      },
    ]),
  );
  const { output } = await run('disable', person.email.toUpperCase());
  expect(output).toContain('is disabled');
  expect(output).toContain('No other admin is left');
  expect(await isSignedIn(browser)).toBe(false);
  expect((await signIn(browser, person)).status).toBe(401);
  const row = await database.read.db
    .selectFrom('tokens')
    .select('revoked_at')
    .where('token_id', '=', 'tok_x')
    .executeTakeFirstOrThrow();
  expect(row.revoked_at).not.toBeNull();
  const invitation = await database.read.db
    .selectFrom('invitations')
    .select('revoked_at')
    .where('invitation_id', '=', 'inv_x')
    .executeTakeFirstOrThrow();
  expect(invitation.revoked_at).not.toBeNull();
  await run('enable', person.email);
  await signIn(browser, person);
  expect(await isSignedIn(browser)).toBe(true);
  const actions = await listAudit(service, person.accountId);
  expect(actions).toEqual(expect.arrayContaining(['account.disabled success', 'account.enabled success']));
});

test('a person who has lost the authenticator app signs in after the operator has removed it', async () => {
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  const row = { account_id: person.accountId, key_id: 'lost', sealed_secret: Buffer.alloc(40) };
  const times = { created_at: 1, confirmed_at: 1, last_step: null };
  await service.service.database.transaction((tx) => tx.insertMany('account_totp', [{ ...row, ...times }]));
  expect((await signIn(new FormBrowser(service.baseUrl), person)).title).toContain('Enter a code');
  expect((await run('remove-app', person.email)).output).toContain('is off.');
  expect(await isSignedIn(browser)).toBe(false);
  await signIn(browser, person);
  expect(await isSignedIn(browser)).toBe(true);
  expect(await listAudit(service, person.accountId)).toContain('account.totp_disabled success');
  expect((await run('remove-app', person.email)).output).toContain('was off already.');
});

test('the operator makes a link with which a person sets a new password', async () => {
  const person = await createPerson(service);
  const { output } = await run('reset-link', person.email);
  const [link = ''] = /http\S+/.exec(output) ?? [];
  const browser = new FormBrowser(service.baseUrl);
  const password = 'a password by the link';
  await browser.submit(await browser.open(link), { password });
  await signIn(browser, { ...person, password });
  expect(await isSignedIn(browser)).toBe(true);
  expect(await listAudit(service, person.accountId)).toContain('account.reset_link success');
  expect(output).not.toContain('not verified');
  const unknown = await run('reset-link', 'unknown@example.com');
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('No account has this')]);
});

test('the link of the operator verifies the address if the service sends no mail', async () => {
  const person = await createPerson(service, { isEmailVerified: false });
  const { accountId } = person;
  const { output } = await run('reset-link', person.email);
  expect(output).toContain('The address is not verified');
  const [link = ''] = /http\S+/.exec(output) ?? [];
  const password = 'a password by the link';
  const browser = new FormBrowser(service.baseUrl);
  const done = await browser.submit(await browser.open(link), { password });
  expect(done.text).toContain('Your e-mail address is verified.');
  expect(await listAudit(service, accountId)).toContain('account.email_verified success');
  const again = await run('reset-link', person.email, '--json');
  expect(again.output).toContain('"email_verified": true');
});
