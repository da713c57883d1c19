import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { newVisitor, roleOf, signOn } from './testing/sign-on-scene.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const chromium = useChromium();
const provider = useFixture(
  () =>
    startIdentityProvider({
      redirectUri: `${service.baseUrl}/auth/sign-on/callback`,
      hasFullTokens: true,
    }),
  { close: (server) => server.close() },
);

test('an admin sets single sign-on up, changes it and removes it in the console', async () => {
  const { page, context } = await openConsole(service, chromium, {
    path: '/sign-on',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/],
  });
  await page.getByRole('button', { name: 'Set up single sign-on' }).click();
  await page.getByText(`${service.baseUrl}/auth/sign-on/callback`).waitFor();
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill('tps');
  await page.getByRole('textbox', { name: 'Client secret' }).fill('secret-of-the-test-provider');
  await page.getByLabel('Mail domains').fill('example.com');
  await page.getByLabel('Claim that decides the role').fill('groups');
  await page.getByRole('button', { name: 'Add a value' }).click();
  await page.getByLabel('Value 1', { exact: true }).fill('soc');
  const save = page.getByRole('button', { name: 'Set up single sign-on' });
  await context.setOffline(true);
  await save.click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Issuer').inputValue()).toBe(provider.issuer);
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('secret-of-the-test');
  await context.setOffline(false);
  await save.click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();

  const email = 'someone@example.com';
  provider.setPerson({ sub: 's-1', email, email_verified: true, name: 'Someone', groups: ['soc'] });
  const { tenantId } = service.tenant;
  await signOn(newVisitor(service, provider.issuer), { tenantId });
  expect(await roleOf(service, tenantId, email)).toBe('viewer');

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('switch', { name: 'People must sign in at the provider' }).check({ force: true });
  const trust = page.getByRole('switch', { name: 'Addresses of this provider count as verified' });
  await trust.check({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rejected, except for admins').waitFor();
  await page.getByText('Count as verified').waitFor();
  await page.getByText('Stored', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(provider.issuer);
  await dialog.getByRole('button', { name: 'Remove single sign-on' }).click();
  await page.getByText('Single sign-on is not set up.').waitFor();
});

test('a provider that cannot be reached is explained in the form', async () => {
  const { page } = await openConsole(service, chromium, { path: '/sign-on?dialog=edit' });
  await page.getByLabel('Issuer').fill('http://127.0.0.1:9');
  await page.getByLabel('Client ID').fill('tps');
  await page.getByLabel('Mail domains').fill('example.com');
  await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret');
  await page.getByRole('button', { name: 'Set up single sign-on' }).click();
  await page.getByRole('alert').getByText('The request failed').waitFor();
});
