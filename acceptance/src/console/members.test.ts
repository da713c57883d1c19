import { FormBrowser, signIn, useChromium } from '@tps/testing/browser';
import { exchangeSession, openConsole, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

test('an admin invites a person, changes their role and removes them', async () => {
  const { page } = await openConsole(service, chromium, { path: '/members' });
  const guest = await createPerson(service, { tenantId: null });
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(guest.email);
  await dialog.getByRole('radio', { name: 'Analyst' }).check();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link =
    (
      await dialog
        .getByText(/^https?:\/\//)
        .first()
        .textContent()
    )?.trim() ?? '';
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('region', { name: 'Pending invitations' }).getByText(guest.email).waitFor();

  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, guest);
  const joined = await browser.submit(await browser.open(link), {}, { button: `Join as ${guest.email}` });
  expect(joined.url.pathname).toBe('/console');
  await page.reload();
  await page.getByText(guest.name).first().waitFor();
  // What is left is the link of the first start.
  const pending = page.getByRole('region', { name: 'Pending invitations' });
  await pending.getByText('Anyone with the link').waitFor();
  expect(await pending.getByText(guest.email).count()).toBe(0);

  await page.goto(`${service.baseUrl}/console/${service.tenant.tenantId}/members/${guest.accountId}`);
  await page.getByRole('button', { name: 'Change role' }).click();
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Role changed').waitFor();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await dialog.getByRole('textbox').fill(guest.email);
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await page.waitForURL('**/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).waitFor();
  const { body } = await service.client.send('GET', `/members/${guest.accountId}`, service.tenant);
  expect(body).toMatchObject({ error: { code: 'not_found' } });
});

test('an admin sees what ends with a member, and adopts what others use', async () => {
  const tenant = await service.createTenant();
  const scene = { ...service, tenant };
  const leaving = await createPerson(scene, { role: 'admin' });
  const { body: session } = await exchangeSession(service, await startSession(service, leaving), {
    body: { tenant_id: tenant.tenantId },
  });
  const settings = { name: 'SIEM connector', grant_types: ['client_credentials'], scopes: ['status:read'] };
  const { body: client } = await service.client.send('POST', '/oauth-clients', {
    credential: session.access_token,
    body: settings,
  });
  const person = await createPerson(scene, { role: 'admin' });
  const { page, goto } = await openConsole(scene, chromium, {
    person,
    path: `/members/${leaving.accountId}`,
  });
  await page.getByRole('button', { name: 'Remove member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('OAuth client SIEM connector (deleted)').waitFor();
  await dialog.getByText('first replace its secret').waitFor();
  expect(await dialog.getByRole('button', { name: 'Adopt what others use' }).count()).toBe(0);

  const { client_id: id } = client as { client_id: string };
  const { body: own } = await exchangeSession(service, await startSession(service, person), {
    body: { tenant_id: tenant.tenantId },
  });
  await service.client.send('POST', `/oauth-clients/${id}/rotate-secret`, {
    credential: own.access_token,
    body: {},
  });
  await goto(`/members/${leaving.accountId}`);
  await page.getByRole('button', { name: 'Remove member' }).click();
  await dialog.getByRole('button', { name: 'Adopt what others use (1)' }).click();
  await page.getByText('Adopted').waitFor();
  await expect.poll(() => dialog.getByText('SIEM connector').count()).toBe(0);
  await dialog.getByRole('textbox').fill(leaving.email);
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await page.waitForURL('**/members');
  const kept = await service.client.send('GET', `/oauth-clients/${id}`, tenant);
  expect(kept.status).toBe(200);
});

test('an invitation is revoked, and a cut connection loses nothing that was typed', async () => {
  const { page, context } = await openConsole(service, chromium, {
    path: '/members?dialog=invite',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/],
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('kim@example.com');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('alert').waitFor();
  await context.setOffline(false);
  await page.reload();
  expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('kim@example.com');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Revoke the invitation of kim@example.com' }).click();
  await page.getByText('Invitation revoked').waitFor();
  await expect.poll(() => page.getByText('kim@example.com').count()).toBe(0);
});

test('the last admin cannot be removed and keeps the role, and hostile names are text', async () => {
  const tenant = await service.createTenant();
  const person = await createPerson({ ...service, tenant }, { role: 'admin' });
  const name = '<script>alert(1)</script>\u202egnp.exe';
  await service.service.database.transaction((tx) =>
    tx.db.updateTable('accounts').set({ name }).where('account_id', '=', person.accountId).execute(),
  );
  const { page } = await openConsole({ ...service, tenant }, chromium, {
    person,
    path: `/members/${person.accountId}`,
  });
  await page.getByRole('heading', { level: 1 }).getByText('<script>alert(1)</script>').waitFor();
  await page.getByText('The last admin of a tenant cannot be removed').waitFor();
  expect(await page.getByRole('button', { name: 'Remove member' }).count()).toBe(0);
});

test.each(['viewer', 'analyst'] as const)(
  'a person with the role %s does not see the members',
  async (role) => {
    const { page, goto } = await openConsole(service, chromium, { role });
    await page.getByRole('navigation').first().waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await goto('/members');
    await page.getByText('members:read').first().waitFor();
  },
);

test('an address that is not verified is marked in the list, on the page and in the menu', async () => {
  const { tenantId } = service.tenant;
  const person = await createPerson(service, { tenantId, role: 'admin', isEmailVerified: false });
  const { page } = await openConsole(service, chromium, { path: '/members', person });
  const marked = page.getByText(`${person.email} (not verified)`);
  await marked.first().waitFor();
  await page.goto(`${service.baseUrl}/console/${tenantId}/members/${person.accountId}`);
  await marked.first().waitFor();
  await page.getByRole('button', { name: person.name }).click();
  await page.getByRole('menu').getByText(`${person.email} (not verified)`).waitFor();
});
