import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { createPerson, useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const HOSTILE = '<img src=x onerror=alert(1)> \u202Eesrever';

/** A tenant whose device has reported a blocked attack. */
async function createAttacked() {
  const tenant = await service.createTenant();
  const device = await registerTestDevice(service, { tenant });
  const answer = await device.post(device.event({ action_taken: 'block', severity: 'critical' }));
  expect(answer.status, answer.text).toBe(201);
  return { tenant, device };
}

const needs = (page: Page) => page.getByRole('region', { name: 'Needs attention' });

test('the first look shows the status, its reasons, and the incident that needs a person', async () => {
  const { tenant, device } = await createAttacked();
  const { tenantId, credential } = tenant;
  const person = await createPerson(service, { tenantId, role: 'analyst' });
  await service.service.database.transaction((tx) =>
    tx.db.updateTable('accounts').set({ name: HOSTILE }).where('account_id', '=', person.accountId).execute(),
  );
  const list = await service.client.send('GET', '/incidents', { credential });
  const id = (list.body as { data: { id: string }[] }).data[0]?.id ?? '';
  await service.client.send('PATCH', `/incidents/${id}`, {
    credential,
    body: { assignee: person.accountId },
  });

  const { page } = await openConsole(service, chromium, { tenantId });
  const banner = page.getByRole('region', { name: 'Protection status' });
  await banner.getByText('At risk').waitFor();
  await banner.getByText('1 unresolved incident of severity high or critical').waitFor();
  await needs(page).getByText('Critical').waitFor();
  await needs(page).getByText(HOSTILE).waitFor();
  const link = needs(page).getByRole('link', { name: `Phishing on device ${device.deviceId}` });
  expect(await link.getAttribute('href')).toBe(`/console/${tenantId}/incidents/${id}`);
});

test('each chart has its values as a table, and the range is part of the address', async () => {
  const { tenant } = await createAttacked();
  const { page } = await openConsole(service, chromium, { tenantId: tenant.tenantId });
  const events = page.getByRole('figure', {
    name: /^Events in the last 7 days, .*: Blocked 1, Warned 0, Allowed 0$/,
  });
  await events.locator('canvas').waitFor();
  await page.getByText('24 h', { exact: true }).click();
  await page.waitForURL('**/?range=24h');
  const day = page.getByRole('figure', { name: /^Events in the last 24 hours/ });
  const toggle = day.getByRole('button', { name: 'Table' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  const rows = day.getByRole('row');
  await expect.poll(() => rows.count()).toBe(25);
  // The event is in the newest row, or in the second one if the hour has just ended.
  const newest = [rows.nth(1), rows.nth(2)].map((row) => row.getByRole('cell').allTextContents());
  expect(await Promise.all(newest)).toContainEqual(['1', '0', '0']);
  await page.reload();
  await day.waitFor();
});

test('drawing over a range of the events lists them', async () => {
  const { tenant } = await createAttacked();
  const { page } = await openConsole(service, chromium, { tenantId: tenant.tenantId, path: '/?range=24h' });
  const plot = page.getByRole('figure', { name: /^Events in/ }).locator('.u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error('the chart has no size');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/\/events\?received_since=[\d-]+T[\d:.]+Z&received_until=/);
});

test('a new tenant sees what to do first, with commands for this tenant, until it is put away', async () => {
  const { tenantId } = await service.createTenant();
  const { page } = await openConsole(service, chromium, { tenantId });
  await page.getByText('Unprotected').waitFor();
  await page.getByRole('heading', { name: 'First steps: 0 of 3 done' }).waitFor();
  const command = page.getByRole('figure', { name: 'Commands that enrol a device' });
  await command.getByText(`TPS_URL=${service.baseUrl} TPS_TENANT=${tenantId}`).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.reload();
  await page.getByText('Unprotected').waitFor();
  expect(await page.getByRole('heading', { name: /^First steps/ }).count()).toBe(0);
});

test('a viewer sees the status, and no steps that only others can take', async () => {
  const { tenantId } = await service.createTenant();
  const { page } = await openConsole(service, chromium, { tenantId, role: 'viewer' });
  await page.getByText('Figures and charts appear here with the first event.').waitFor();
  expect(await page.getByText('Enrol a device').count()).toBe(0);
});

test('on a wall only the page is shown, and what was read stays when the connection is lost', async () => {
  const { tenant } = await createAttacked();
  const { page, context } = await openConsole(service, chromium, {
    tenantId: tenant.tenantId,
    path: '/?kiosk=1',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/],
  });
  await page.getByText('At risk').waitFor();
  await page.locator('canvas').first().waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Wall display' }).count()).toBe(0);
  await context.setOffline(true);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.getByText('At risk').waitFor();
});
