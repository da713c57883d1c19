import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const statusWith = async (credential: string) =>
  (await fetch(`${service.baseUrl}/status`, { headers: { authorization: `Bearer ${credential}` } })).status;

test('an admin creates a key, sees it once, rolls it and revokes it', async () => {
  const { page } = await openConsole(service, chromium, { path: '/keys' });
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('SIEM <b>reader</b>');
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'events:read' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const first =
    (await dialog
      .getByText(/^svc_live_/)
      .first()
      .textContent()) ?? '';
  expect(await statusWith(first.trim())).toBe(200);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('heading', { name: 'SIEM <b>reader</b>' }).waitFor();
  expect(await page.getByText(first.trim()).count()).toBe(0);
  await page.getByRole('button', { name: 'Roll key' }).click();
  await dialog.getByRole('button', { name: 'Create the new key' }).click();
  const second =
    (await dialog
      .getByText(/^svc_live_/)
      .first()
      .textContent()) ?? '';
  expect(second).not.toBe(first);
  // The old one still works, for a day.
  expect([await statusWith(first.trim()), await statusWith(second.trim())]).toEqual([200, 200]);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('button', { name: 'Revoke key' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke key' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('SIEM <b>reader</b>');
  await revoke.click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  expect(await statusWith(second.trim())).toBe(401);
  await page
    .getByText(/revoked$/)
    .first()
    .waitFor();
});

test('what was typed survives a lost connection and the sign-in that a change demands', async () => {
  const signedInAtMs = Date.now() - 11 * 60_000;
  const { page, context, person } = await openConsole(service, chromium, {
    path: '/keys?dialog=new',
    signedInAtMs,
    allowMessages: [/401/, /ERR_INTERNET_DISCONNECTED/, /Failed to load resource/],
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Typed once');
  await dialog.getByRole('checkbox', { name: 'webhooks:read' }).check();
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed once');
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Create key' }).click();

  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/keys?dialog=new');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed once');
  expect(await dialog.getByRole('checkbox', { name: 'webhooks:read' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog
    .getByText(/^svc_live_/)
    .first()
    .waitFor();
});

test('a key can be given only scopes that the person has', async () => {
  const { page } = await openConsole(service, chromium, { path: '/keys?dialog=new' });
  await page.getByLabel('Name').fill('x');
  expect(await page.getByRole('checkbox', { name: 'tokens:write' }).isEnabled()).toBe(true);
  expect(await page.getByRole('checkbox', { name: 'alerts:write' }).count()).toBe(0);
});

test.each(['viewer', 'analyst'] as const)(
  'a person with the role %s has no way to the keys',
  async (role) => {
    const person = await createPerson(service, { role });
    const { page, goto } = await openConsole(service, chromium, { person });
    await page.getByRole('navigation').first().waitFor();
    expect(await page.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0);
    await goto('/keys');
    await page.getByText('tokens:read').first().waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  },
);
