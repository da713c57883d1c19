import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';

const BEHIND_MS = 5000;
const OTHER = 'https://other.example.com/callback';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

/** Returns a browser in which a person has allowed an application, and what changes or reads the consent. */
async function beginAllowed(scope = 'devices:read') {
  const application = await TestApplication.register(service);
  const person = await createPerson(service, { role: 'admin' });
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  clock.advance(60_000);
  await authorize(browser, application.authorizationUrl({ scope }));
  return {
    ...{ application, browser },
    async change(method: 'PATCH' | 'POST', path: string, body: object) {
      const { credential } = service.tenant;
      const target = `/oauth-clients/${application.clientId}${path}`;
      expect((await service.client.send(method, target, { credential, body })).status).toBe(200);
    },
    /** Returns `code` if the application gets a code at once, and the title of the page otherwise. */
    async ask(params: Record<string, string> = {}) {
      const { leftTo, title } = await browser.open(application.authorizationUrl(params));
      return leftTo?.searchParams.has('code') ? 'code' : title;
    },
    async store(values: { client_version?: null; version_scopes?: null; granted_at?: number }) {
      await service.service.database.transaction((tx) =>
        tx.db
          .updateTable('oauth_consents')
          .set(values)
          .where('client_id', '=', application.clientId)
          .execute(),
      );
    },
  };
}

/** Does something on a node whose clock is behind. */
async function withClockBehind(ms: number, act: () => Promise<void>): Promise<void> {
  clock.advance(-ms);
  await act();
  clock.advance(ms);
}

test.each([
  ['in the same millisecond', 0],
  ['by a node whose clock is behind', BEHIND_MS],
])('consent is asked again after a change of the client %s', async (_, behindMs) => {
  const { browser, application, change, ask } = await beginAllowed();
  const redirect_uris = [application.redirectUri, OTHER];
  await withClockBehind(behindMs, () => change('PATCH', '', { redirect_uris }));
  expect(await ask({ redirect_uri: OTHER })).toContain('Allow Example?');
  expect(await ask()).toContain('Allow Example?');
  await authorize(browser, application.authorizationUrl());
  expect(await ask({ redirect_uri: OTHER })).toBe('code');

  await withClockBehind(behindMs, () => change('POST', '/rotate-secret', {}));
  expect(await ask()).toContain('Allow Example?');
});

test('consent is remembered if the clock of the node that remembers it is behind', async () => {
  const { browser, application, change, ask } = await beginAllowed();
  clock.advance(1);
  await change('PATCH', '', { redirect_uris: [application.redirectUri, OTHER] });
  await withClockBehind(BEHIND_MS, async () => {
    await authorize(browser, application.authorizationUrl());
  });
  expect(await ask()).toBe('code');
});

test('a scope that a person allowed before a change of the client is asked again after it', async () => {
  const { browser, application, change, ask } = await beginAllowed('devices:read tokens:write');
  expect(await ask({ scope: 'tokens:write' })).toBe('code');
  await change('PATCH', '', { redirect_uris: [application.redirectUri, OTHER] });
  await authorize(browser, application.authorizationUrl());
  expect(await ask()).toBe('code');
  expect(await ask({ scope: 'tokens:write', redirect_uri: OTHER })).toContain('Allow Example?');
  const { text } = await browser.open('/auth/account/applications');
  expect(text).toContain('devices:read, tokens:write');

  await authorize(browser, application.authorizationUrl({ scope: 'tokens:write' }));
  expect(await ask({ scope: 'devices:read tokens:write' })).toBe('code');
});

test('a consent that an older version stored is asked again only after a change of the client', async () => {
  const { browser, application, change, ask, store } = await beginAllowed();
  await store({ client_version: null, version_scopes: null });
  expect(await ask()).toBe('code');
  clock.advance(1);
  await change('PATCH', '', { redirect_uris: [application.redirectUri, OTHER] });
  expect(await ask()).toContain('Allow Example?');

  await authorize(browser, application.authorizationUrl());
  await withClockBehind(BEHIND_MS, () => change('PATCH', '', { name: 'Example' }));
  expect(await ask()).toContain('Allow Example?');
});

test('a version that an older node left in place does not count for a client that has changed', async () => {
  const { change, ask, store } = await beginAllowed();
  await change('PATCH', '', { name: 'Example' });
  clock.advance(1);
  await store({ granted_at: clock.now() });
  expect(await ask()).toContain('Allow Example?');
});
