import { useChromium } from '@tps/testing/browser';
import { type OpenedConsole, openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

const DEVICES_CODE = /\/device-list-[^/]+\.js$/;
const MISSING = { allowMessages: [/status of 404/, /Failed to fetch dynamically imported module/] };

test('after an update of the service, opening a page loads the new console', async () => {
  const { page, context, goto } = await openConsole(service, chromium, MISSING);
  const loads = countLoads(page);
  // The files of the console that the reader has opened are gone.
  await context.route(DEVICES_CODE, (route) =>
    loads.count > 1 ? route.fallback() : route.fulfill({ status: 404 }),
  );
  await goto('/');
  loads.count = 1;
  await openDevices(page);
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  expect(loads.count).toBe(2);
});

test('a page whose code is missing shows an error after one reload, and can be tried again', async () => {
  const { page, context, goto } = await openConsole(service, chromium, MISSING);
  const loads = countLoads(page);
  await context.route(DEVICES_CODE, (route) => route.fulfill({ status: 404 }));
  await goto('/');
  loads.count = 1;
  await openDevices(page);
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
  expect(loads.count).toBe(2);
  await page.locator('nav').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await context.unroute(DEVICES_CODE);
  await openDevices(page);
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
});

test('a new page starts at its top, and going back restores the scroll position', async () => {
  const { page } = await openConsole(service, chromium, {
    path: '/api-reference',
    context: { viewport: { width: 1280, height: 500 } },
  });
  await page.getByRole('heading', { name: 'Incidents', level: 2 }).waitFor();
  await page.evaluate('scrollTo(0, 700)');
  await page.locator('nav').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate('scrollY')).toBe(700);
  await page.goForward();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test('the link to the content moves the focus, and stays on the page', async () => {
  const { page } = await openConsole(service, chromium, { path: '/devices?status=active' });
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  expect(new URL(page.url()).search).toBe('?status=active');
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
});

test('an address without a page shows that it does not exist', async () => {
  const { page } = await openConsole(service, chromium, { path: '/nowhere/at/all' });
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
});

async function openDevices(page: OpenedConsole['page']): Promise<void> {
  await page.locator('nav').getByRole('link', { name: 'Devices' }).click();
}

function countLoads(page: OpenedConsole['page']): { count: number } {
  const loads = { count: 0 };
  page.on('load', () => {
    loads.count += 1;
  });
  return loads;
}
