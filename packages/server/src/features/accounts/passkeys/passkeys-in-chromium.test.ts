import { useChromium } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

/** Browsers have no passkeys for an IP address. */
const service = useTestService({ env: { SERVICE_AUTH_URL: 'http://localhost:0/auth' } });
const origin = () => service.baseUrl.replace('127.0.0.1', 'localhost');
const chromium = useChromium();

/** Opens a profile with an authenticator that verifies its user. Returns a page and the problems that it reports. */
async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, problems };
}

test('a person adds a passkey, signs out, signs in with it and proves who they are', async () => {
  const { email, password } = await createPerson(service);
  const { page, problems } = await openPage();
  await page.goto(`${origin()}/auth/account/passkeys`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Name').fill('This laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByRole('status').getByText('The passkey was added.').waitFor();

  await page.goto(`${origin()}/auth/account`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/login/passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(/\/console/);

  await page.goto(`${origin()}/auth/confirm?return_to=/auth/account/export`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/confirm/passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Your data' }).waitFor();
  expect(problems).toEqual([]);
});
