import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

/** Asks for an access token with the secret of a client, and returns the status. */
async function tokenStatus(clientId: string, secret: string): Promise<number> {
  const response = await fetch(`${service.baseUrl}/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return response.status;
}

test('an admin registers a client, rotates its secret, changes it and deletes it', async () => {
  const name = '<img src=x onerror=alert(1)> connector';
  const { page } = await openConsole(service, chromium, { path: '/oauth-clients?dialog=new' });
  const dialog = page.getByRole('dialog');
  const secretOf = async () =>
    (
      await dialog
        .getByText(/^svc_cs_/)
        .first()
        .textContent()
    )?.trim() ?? '';
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create client' }).click();
  const first = await secretOf();
  const clientId = (await dialog.getByText(/^cli_/).first().textContent())?.trim() ?? '';
  expect(await tokenStatus(clientId, first)).toBe(200);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name }).waitFor();
  expect(await page.getByText(first).count()).toBe(0);

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByRole('button', { name: 'Create the new secret' }).click();
  const second = await secretOf();
  expect([await tokenStatus(clientId, first), await tokenStatus(clientId, second)]).toEqual([200, 200]);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('Renamed');
  await dialog.getByRole('checkbox', { name: 'events:read' }).uncheck();
  await dialog.getByText('Without events:read').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();

  await page.getByRole('button', { name: 'Delete client' }).click();
  await dialog.getByRole('textbox').fill('Renamed');
  await dialog.getByRole('button', { name: 'Delete client' }).click();
  await page.waitForURL('**/oauth-clients');
  await page.getByText('No OAuth clients yet').waitFor();
  expect(await tokenStatus(clientId, second)).toBe(401);
});

test('a mistake is explained in the form, and nothing typed is lost', async () => {
  const { page, context } = await openConsole(service, chromium, {
    path: '/oauth-clients?dialog=new',
    allowMessages: [/400/, /ERR_INTERNET_DISCONNECTED/],
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A web application that acts for people').click();
  await dialog.getByLabel('Name').fill('Portal');
  await dialog.getByLabel('Redirect URIs').fill('http://portal.example/callback');
  await dialog.getByRole('button', { name: 'Create client' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/redirect_uris/)
    .waitFor();
  await dialog
    .getByLabel('Redirect URIs')
    .fill('https://portal.example/callback\nhttps://portal.example/callback');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create client' }).click();
  await dialog.getByRole('alert').getByText('The service does not respond').waitFor();
  await context.setOffline(false);
  await page.reload();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Portal');
  await dialog.getByRole('button', { name: 'Create client' }).click();
  await dialog
    .getByText(/^svc_cs_/)
    .first()
    .waitFor();
});
