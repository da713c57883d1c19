import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

/** Lets an application act for a new person. */
async function begin(application: TestApplication) {
  const person = await createPerson(service);
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  const { body } = await application.exchange(await authorize(browser, application.authorizationUrl()));
  const { access_token, refresh_token } = body as Record<string, string>;
  return {
    browser,
    person,
    read: () => service.client.send('GET', '/devices', { credential: access_token ?? '' }),
    refresh: () => application.token({ grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }),
  };
}

test('a person withdraws what an application may do, which holds at once', async () => {
  const application = await TestApplication.register(service, { name: 'Reports' });
  const other = await begin(application);
  const { browser, person, read, refresh } = await begin(application);
  const page = await browser.open('/auth/account/applications');
  expect(page.text).toMatch(/Reports in .* allowed on \d{4}-\d\d-\d\d .* devices:read/);
  expect(await read()).toMatchObject({ status: 200 });

  const after = await browser.submit(page, {}, { button: 'Withdraw access' });
  expect(after.text).toContain('You have not allowed any application');
  expect(await read()).toMatchObject({ status: 401 });
  expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const silent = await browser.open(application.authorizationUrl({ prompt: 'none' }));
  expect(silent.leftTo?.searchParams.get('error')).toBe('consent_required');
  const { credential } = service.tenant;
  const acts = await service.client.send('GET', `/audit?actor_id=${person.accountId}&limit=2`, {
    credential,
  });
  expect(acts.body).toMatchObject({
    data: [
      { action: 'oauth.revoke', outcome: 'success', resource: { id: application.clientId } },
      { action: 'oauth.grant', outcome: 'success', resource: { id: application.clientId } },
    ],
  });

  expect(await other.read()).toMatchObject({ status: 200 });
  expect(await other.refresh()).toMatchObject({ status: 200 });
});

test('a person withdraws only what they have allowed themselves', async () => {
  const application = await TestApplication.register(service);
  const owner = await begin(application);
  const attacker = await begin(await TestApplication.register(service));
  const page = await attacker.browser.open('/auth/account/applications');
  const fields = { ...Object.fromEntries(page.forms[0]?.fields ?? []), client: application.clientId };
  expect(await attacker.browser.post('/auth/account/applications', fields)).toMatchObject({ status: 200 });
  expect(await owner.read()).toMatchObject({ status: 200 });
  expect(await attacker.read()).toMatchObject({ status: 200 });
});
