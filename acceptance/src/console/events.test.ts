import type { Event } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { type OpenedConsole, openConsole, rowIdsOf } from '@tps/testing/console';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const HOSTILE = `<img src=x onerror=alert(1)> \u202Egnihsihp\u202C of [phone] ${'x'.repeat(300)}`;

async function createSender(): Promise<TestDevice> {
  return registerTestDevice(service, { tenant: await service.createTenant() });
}

async function send(device: TestDevice, count: number, members: Partial<Event> = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => device.event(members));
  const { status, text } = await device.post({ events }, { path: '/events/batch' });
  expect(status, text).toBe(200);
  return events.map(({ event_id }) => event_id);
}

async function openEvents({ tenant }: TestDevice, options: Parameters<typeof openConsole>[2] = {}) {
  return openConsole(service, chromium, { tenantId: tenant.tenantId, path: '/events', ...options });
}

const rowIds = ({ page }: OpenedConsole) => rowIdsOf(page);
const isLive = ({ page }: OpenedConsole) =>
  page.getByRole('status').getByText('Live', { exact: true }).waitFor();

const sender = useFixture(createSender);

test('an event appears while the page is open, and shows what is known about it', async () => {
  const other = await createSender();
  const opened = await openEvents(sender);
  const { page } = opened;
  await isLive(opened);
  const [id = ''] = await send(sender, 1, { description: HOSTILE, severity: 'critical', sequence: 1 });
  await send(other, 1);
  await expect.poll(() => rowIds(opened)).toEqual([id]);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article');
  await detail.getByText('Chain hash').waitFor();
  expect(await detail.locator('mark').allTextContents()).toEqual(['phone']);
  for (const noun of ['thr', 'alr', 'inc']) await detail.locator(`a[href*="/${noun}_"]`).first().waitFor();
  await detail.getByText('It follows the previous event of the device.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.goto(`${service.baseUrl}/console/${sender.tenant.tenantId}/events/${id}`);
  await page.getByText('Event hash').waitFor();
});

test('scrolling holds the list still, says how many are new, and shows them on demand', async () => {
  const device = await createSender();
  const stored = await send(device, 300);
  const opened = await openEvents(device);
  const { page } = opened;
  await isLive(opened);
  await expect.poll(async () => (await rowIds(opened))[0]).toBe(stored.at(-1));
  await page.locator('[data-list-scroller]').evaluate((list) => list.scrollTo({ top: 3_200 }));
  await page.getByText('Paused while you look at older events').waitFor();
  const before = await firstVisible(opened);
  const later = await send(device, 7);
  await page.getByRole('button', { name: '7 new' }).click();
  await isLive(opened);
  await expect.poll(async () => (await rowIds(opened)).slice(0, 7)).toEqual(later.toReversed());
  expect(before).not.toBe(later.at(-1));
});

async function firstVisible({ page }: OpenedConsole): Promise<string | null> {
  return page.locator('[data-list-scroller]').evaluate((list) => {
    const { top } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('[role=row][data-id]')]
      .map((row) => ({ id: row.getAttribute('data-id'), rowTop: row.getBoundingClientRect().top }))
      .sort((one, other) => one.rowTop - other.rowTop);
    return rows.find(({ rowTop }) => rowTop >= top)?.id ?? null;
  });
}

test('the key p pauses the list, and nothing is lost meanwhile', async () => {
  const device = await createSender();
  const opened = await openEvents(device);
  const { page } = opened;
  await isLive(opened);
  const first = await send(device, 2);
  await expect.poll(() => rowIds(opened)).toEqual(first.toReversed());
  await page.keyboard.press('p');
  await page.getByRole('status').getByText('Paused', { exact: true }).waitFor();
  const later = await send(device, 3);
  await page.getByText('3 new').first().waitFor();
  expect(await rowIds(opened)).toEqual(first.toReversed());
  await page.keyboard.press('p');
  await expect.poll(() => rowIds(opened)).toEqual([...first, ...later].reverse());
});

test('a lost connection is said, and each event is shown once when it is back', async () => {
  const device = await createSender();
  const opened = await openEvents(device, { allowMessages: [/ERR_|Failed to load resource/] });
  const { page, context } = opened;
  await isLive(opened);
  const first = await send(device, 2);
  await expect.poll(() => rowIds(opened)).toEqual(first.toReversed());
  await context.setOffline(true);
  await page.getByText(/^Disconnected\. Reconnecting/).waitFor({ timeout: 60_000 });
  const later = await send(device, 3);
  await context.setOffline(false);
  await isLive(opened);
  await expect.poll(() => rowIds(opened)).toEqual([...first, ...later].reverse());
});

test('filters of the address apply to stored and to new events', async () => {
  const device = await createSender();
  const [stored] = await send(device, 1, { severity: 'critical' });
  await send(device, 1, { severity: 'low' });
  const opened = await openEvents(device, { path: '/events?severity=critical,high' });
  await isLive(opened);
  await send(device, 1, { severity: 'low' });
  const [later] = await send(device, 1, { severity: 'high' });
  await expect.poll(() => rowIds(opened)).toEqual([later, stored]);
});
