import type { NoticeChannel } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useReceivers } from '@tps/testing/receiver';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';

const newReceiver = useReceivers();
const service = useTestService({ env: WEBHOOK_ENV });
const chromium = useChromium();

test('an admin creates a notice channel, tests, changes and pauses it; a viewer only reads', async () => {
  const receiver = await newReceiver();
  const { page } = await openConsole(service, chromium, { path: '/notice-channels' });
  await page.getByRole('button', { name: 'New notice channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Pager');
  expect(await dialog.getByLabel('Address').count()).toBe(1);
  await dialog.getByText('Webhook', { exact: true }).click();
  expect(await dialog.getByRole('button', { name: 'Create channel' }).isDisabled()).toBe(true);
  await dialog.getByLabel('URL').fill(`${receiver.url}?token=s3cret`);
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByRole('button', { name: 'Create channel' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('heading', { level: 1, name: 'Pager' }).waitFor();
  expect(await page.getByText(/whsec_|s3cret/).count()).toBe(0);
  await page.getByText('22:00 to 07:00 (Europe/Berlin), every day. Only critical is sent.').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitFor(1);
  await page.getByRole('listitem').filter({ hasText: 'Sent' }).first().waitFor();

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  await dialog.getByLabel('Messages in any hour').fill('3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('22:00 to 07:00', { exact: false }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('No notices are sent, and waiting notices are dropped.').waitFor();

  const viewer = await openConsole(service, chromium, { role: 'viewer', path: '/notice-channels' });
  await viewer.page.getByRole('row').filter({ hasText: 'Pager' }).click();
  await viewer.page.getByText('Latest notices').waitFor();
  for (const name of ['New notice channel', 'Send test', 'Resume', 'Edit', 'Delete'])
    expect(await viewer.page.getByRole('button', { name, exact: true }).count(), name).toBe(0);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('textbox').fill('Pager');
  await dialog.getByRole('button', { name: 'Delete channel' }).click();
  await page.getByText('No notice channels yet').waitFor();
});

test('a draft for a notice channel does not undo a later change by another person', async () => {
  const { credential } = service.tenant;
  const { url } = await newReceiver();
  const body = { name: 'Shared', kind: 'slack', url };
  const created = await service.client.send('POST', '/notice-channels', { credential, body });
  const { channel_id: id } = created.body as NoticeChannel;
  const { page } = await openConsole(service, chromium, { path: `/notice-channels/${id}` });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('Drafted');
  const change = { body: { max_per_hour: 7 }, credential };
  expect((await service.client.send('PATCH', `/notice-channels/${id}`, change)).status).toBe(200);

  await page.reload();
  await dialog.getByLabel('Name').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Shared');
  expect(await dialog.getByLabel('Messages in any hour').inputValue()).toBe('7');
});
