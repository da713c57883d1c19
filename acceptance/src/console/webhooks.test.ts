import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { useReceivers } from '@tps/testing/receiver';
import { createPerson, registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';

const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp';

const newReceiver = useReceivers();
const service = useTestService({ env: WEBHOOK_ENV });
const chromium = useChromium();

/** A webhook whose receiver refuses for good, with a dead letter per event. */
async function failingWebhook(events: number) {
  const receiver = await newReceiver({ respond: { status: 400, body: HOSTILE } });
  const webhook = await registerTestWebhook(service, { url: receiver.url, auto_replay: false });
  const device = await registerTestDevice(service);
  for (let sent = 0; sent < events; sent += 1) await device.post(device.event({ severity: 'high' }));
  await expect.poll(async () => (await webhook.deadLetters()).length).toBe(events);
  return { receiver, webhook };
}

test('an admin creates a webhook, sees its secret once, tests, rotates, pauses and deletes it', async () => {
  const receiver = await newReceiver();
  const { page, context } = await openConsole(service, chromium, {
    path: '/webhooks',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/],
  });
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('checkbox', { name: 'Low' }).uncheck();
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByRole('alert').waitFor();
  await context.setOffline(false);
  expect(await dialog.getByLabel('URL').inputValue()).toBe(receiver.url);
  expect(await dialog.getByRole('checkbox', { name: 'Low' }).isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const shown = dialog.getByText(/^whsec_/).first();
  const first = await shown.textContent();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
  expect(await page.getByText('whsec_').count()).toBe(0);
  await page
    .getByText('Critical, high, medium', { exact: false })
    .or(page.getByText(/medium, high, critical/i))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitFor(1);
  const delivery = page.getByRole('listitem').filter({ hasText: 'Delivered' });
  await delivery.first().click();
  await delivery.getByRole('heading', { name: 'Response' }).waitFor();

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByRole('button', { name: 'Create the new secret' }).click();
  expect(await shown.textContent()).not.toBe(first);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Old secret', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused by a person', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Deliver missed events' }).click();
  await page.getByText(/checked\. The service is now delivering/).waitFor();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const remove = dialog.getByRole('button', { name: 'Delete webhook' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(new URL(receiver.url).host);
  await remove.click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await expect.poll(() => page.getByText(receiver.url).count()).toBe(0);
});

test('dead letters are replayed and deleted together, and a hostile answer is only text', async () => {
  const { receiver, webhook } = await failingWebhook(3);
  const { page, goto } = await openConsole(service, chromium, {
    path: `/webhooks/${webhook.webhookId}?deliveries=failed`,
  });
  await page.getByRole('link', { name: '3 dead letters' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Failed' }).first().click();
  await page.getByText('<img src=x onerror=alert(1)>', { exact: false }).first().waitFor();
  expect(await page.locator('img').count()).toBe(0);

  receiver.respondWith(200);
  await page.getByRole('link', { name: '3 dead letters' }).click();
  const rows = page.getByRole('row').filter({ hasText: '400' });
  await expect.poll(() => rows.count()).toBe(3);
  await rows.nth(0).getByRole('gridcell').first().click();
  await rows.nth(1).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: 'Replay' }).first().click();
  await page.getByText('2 dead letters are delivered again').waitFor();
  await expect.poll(async () => (await webhook.deadLetters()).length).toBe(1);

  await goto(`/webhooks/dead-letters?webhook_id=${webhook.webhookId}`);
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().getByRole('gridcell').first().click();
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await expect.poll(async () => (await webhook.deadLetters()).length).toBe(0);
});

test('an analyst reads webhooks and dead letters, and cannot change them', async () => {
  const { webhook } = await failingWebhook(1);
  const person = await createPerson(service, { role: 'analyst' });
  const { page, goto } = await openConsole(service, chromium, {
    person,
    path: `/webhooks/${webhook.webhookId}`,
  });
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  for (const name of ['Send test', 'Pause', 'Edit', 'Rotate secret', 'Delete', 'Deliver missed events'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  await goto('/webhooks/dead-letters');
  await page.getByRole('row').filter({ hasText: '400' }).first().waitFor();
  expect(await page.getByRole('button', { name: /^(Replay|Delete)/ }).count()).toBe(0);
});
