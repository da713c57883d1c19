import type { Alert, Incident, Threat } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';

const HOSTILE = '<img src=x onerror=alert(1)> "quoted" \u202Etxet';
const SHARED = 'sig:one, two!\\three';

let first: TestDevice;
let second: TestDevice;

const service = useTestService();
const chromium = useChromium();

beforeEach(async () => {
  const tenant = await service.createTenant();
  first = await registerTestDevice(service, { tenant });
  second = await registerTestDevice(service, { tenant });
});

const open = (path: string) =>
  openConsole(service, chromium, { tenantId: first.tenant.tenantId, role: 'analyst', path });

async function read<Item>(path: string): Promise<Item[]> {
  const answer = await service.client.send('GET', path, { credential: first.tenant.credential });
  return (answer.body as { data: Item[] }).data;
}

const rows = (page: Page) => page.locator('[role=row][data-id]');
const link = (page: Page, id: string) => page.locator('main').locator(`a[href*="${id}"]`).first();

test('from an alert to its threat, to the same indicator on another device, and to the incident', async () => {
  await second.post(second.event({ indicators: [SHARED] }));
  await first.post(first.event({ indicators: [SHARED], description: HOSTILE }));
  const [alert] = await read<Alert>(`/alerts?device_id=${first.deviceId}`);
  const [elsewhere] = await read<Threat>(`/threats?device_id=${second.deviceId}`);
  if (!alert?.incident_id || !elsewhere)
    throw new Error('the events have opened no alert, incident or threat');
  const { page } = await open(`/alerts/${alert.alert_id}`);
  const events = page.getByRole('region', { name: '1 event' });
  await events.getByText('<img src=x onerror=alert(1)>').waitFor();
  await link(page, alert.threat_id).click();
  await page.getByRole('region', { name: '1 indicator' }).getByText(SHARED).waitFor();
  await page.getByRole('region', { name: 'What to do' }).getByRole('listitem').first().waitFor();
  const shared = page.getByRole('region', { name: 'The same indicators elsewhere' });
  await shared.locator(`a[href*="${elsewhere.threat_id}"]`).waitFor();
  expect(await shared.locator(`a[href*="${alert.threat_id}"]`).count()).toBe(0);
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.locator(`a[href*="${alert.incident_id}"]`).click();
  await page.getByRole('list', { name: 'Timeline' }).getByText('Opened by event').waitFor();
  expect(await page.locator('main img').count()).toBe(0);
});

test('alerts and threats of an ended incident leave their lists, and are found by status', async () => {
  await first.post(first.event({ threat_category: 'phishing', indicators: ['sig:1'] }));
  await second.post(second.event({ threat_category: 'deepfake', indicators: ['sig:2'] }));
  const [ended] = await read<Incident>(`/incidents?device_id=${first.deviceId}`);
  const body = { status: 'resolved', resolution: 'true_positive' };
  const { credential } = first.tenant;
  await service.client.send('PATCH', `/incidents/${ended?.id}`, { credential, body });
  const { page, goto } = await open('/alerts');
  for (const [list, status] of [
    ['alerts', 'resolved'],
    ['threats', 'resolved'],
  ]) {
    await goto(`/${list}`);
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('Deepfake')]);
    await goto(`/${list}?status=${status}`);
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('Phishing')]);
  }
});
