import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorize, FormBrowser, signIn, useChromium } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

interface OtherSite {
  readonly origin: string;
  close(): void;
}

/** The application's own address on this machine, and a site that shows any page in a frame. */
const site = useFixture<OtherSite>(
  () =>
    new Promise((resolve) => {
      const server = createServer(({ url = '/' }, response) => {
        const framed = new URL(url, 'http://site').searchParams.get('framed');
        response.setHeader('content-type', 'text/html');
        response.end(
          framed === null ? '<h1>Application</h1>' : `<iframe src="${framed.replace(/"/g, '')}"></iframe>`,
        );
      });
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        resolve({ origin: `http://127.0.0.1:${port}`, close: () => server.close() });
      });
    }),
  { close: (one) => one.close() },
);

async function open(context: BrowserContext): Promise<{ page: Page; violations: string[] }> {
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  return { page, violations };
}

async function enterPassword(page: Page, { email, password }: TestPerson): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a person signs in and allows an application without scripts, and comes back to it', async () => {
  const redirectUri = `${site.origin}/callback`;
  const application = await TestApplication.register(service, { redirectUri });
  const context = await chromium.newContext({ javaScriptEnabled: false });
  const { page, violations } = await open(context);
  await page.goto(application.authorizationUrl().href);
  await enterPassword(page, await createPerson(service));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${redirectUri}?**`);
  expect(await application.exchange(new URL(page.url()))).toMatchObject({ status: 200 });
  expect(violations).toEqual([]);
});

test('after signing in, a person returns to an application that they have allowed before', async () => {
  const application = await TestApplication.register(service);
  const person = await createPerson(service);
  const earlier = new FormBrowser(service.baseUrl);
  await signIn(earlier, person);
  await authorize(earlier, application.authorizationUrl());
  const { page, violations } = await open(await chromium.newContext({ javaScriptEnabled: false }));
  await page.goto(application.authorizationUrl().href);
  // The host does not exist: that the browser tries it shows that no policy stops it.
  const request = page.waitForRequest((one) => one.url().startsWith(`${application.redirectUri}?code=`));
  await enterPassword(page, person);
  expect((await request).isNavigationRequest()).toBe(true);
  expect(violations).toEqual([]);
});

test('another site cannot show a consent page in a frame', async () => {
  const application = await TestApplication.register(service, { redirectUri: `${site.origin}/callback` });
  const context = await chromium.newContext();
  const { page } = await open(context);
  await page.goto(application.authorizationUrl().href);
  await enterPassword(page, await createPerson(service));
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  const consent = page.url();
  const { page: attacker } = await open(context);
  await attacker.goto(`${site.origin}/?${new URLSearchParams({ framed: consent })}`);
  const [, frame] = attacker.frames();
  expect(await frame?.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  expect(frame?.url()).toContain('chrome-error:');
});

test('an answer as a form reaches the application', async () => {
  const redirectUri = `${site.origin}/callback`;
  const application = await TestApplication.register(service, { redirectUri });
  const { page, violations } = await open(await chromium.newContext());
  await page.goto(application.authorizationUrl({ response_mode: 'form_post' }).href);
  await enterPassword(page, await createPerson(service));
  const request = page.waitForRequest(redirectUri);
  await page.getByRole('button', { name: 'Allow' }).click();
  const answer = new URL(`?${(await request).postData()}`, redirectUri);
  expect(await application.exchange(answer)).toMatchObject({ status: 200 });
  expect(violations).toEqual([]);
});
