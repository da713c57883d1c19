import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

const HOSTILE = '"><img src=x onerror=alert(1)>\u202e';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Opens the menu of views, whose button carries the name of the current one. */
async function openMenu(page: Page, current: string | RegExp = 'Views'): Promise<void> {
  await button(page, current).click();
  await item(page, 'Save as a new view…').waitFor();
}

async function save(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await item(page, 'Save as a new view…').click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Save').click();
}

test('a person saves a view, opens it by its address, shares it and deletes it', async () => {
  const own = await openConsole(service, chromium, { path: '/audit?outcome=success&sort=' });
  await save(own.page, HOSTILE);
  await button(own.page, /onerror/).waitFor();
  const { view } = queryOf(own.page);
  expect(view).toMatch(/^vew_/);

  await own.goto(`/audit?view=${view}`);
  await expect.poll(() => queryOf(own.page)).toEqual({ view, outcome: 'success' });
  const other = await openConsole(service, chromium, { path: '/audit' });
  await openMenu(other.page);
  expect(await item(other.page, /onerror/).count()).toBe(0);

  await openMenu(own.page, /onerror/);
  await item(own.page, 'Share with everyone').click();
  await own.page.getByText('View saved').last().waitFor();
  await other.goto(`/audit?view=${view}`);
  await button(other.page, /onerror/).waitFor();
  await expect.poll(() => queryOf(other.page).outcome).toBe('success');

  await openMenu(other.page, /onerror/);
  await item(other.page, 'Delete for everyone').click();
  await button(other.page, 'Views').waitFor();
});

test('a built-in view counts its time back from the moment of opening', async () => {
  const { page } = await openConsole(service, chromium, { path: '/audit' });
  await openMenu(page);
  const before = Date.now();
  await item(page, 'By people, last 24 h').click();
  await expect.poll(() => queryOf(page).view).toBe('people');
  const { since = '', actor_type: type } = queryOf(page);
  expect(type).toBe('account');
  expect(Math.abs(before - 86_400_000 - Date.parse(since))).toBeLessThan(60_000);
  await button(page, /^By people, last 24 h$/).waitFor();
});

test('a name that was typed survives a cut connection', async () => {
  const opened = await openConsole(service, chromium, {
    path: '/audit?outcome=denied',
    allowMessages: [/Failed to load resource/],
  });
  const { page, context } = opened;
  await openMenu(page);
  await item(page, 'Save as a new view…').click();
  await page.getByLabel('Name').fill('Night shift');
  await context.route('**/views', (route) => route.abort());
  await button(page, 'Save').click();
  await page.getByRole('alert').first().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Night shift');
  await context.unroute('**/views');
  await button(page, 'Save').click();
  await button(page, 'Night shift').waitFor();
});

test('a viewer keeps own views, and opens shared ones without changing them', async () => {
  const body = { name: 'Ours', page: 'incidents', query: 'severity=high', shared: true };
  await service.client.send('POST', '/views', { credential: service.tenant.credential, body });
  const { page } = await openConsole(service, chromium, { role: 'viewer', path: '/incidents?severity=low' });
  await save(page, 'Quiet ones');
  await openMenu(page, 'Quiet ones');
  await item(page, 'Rename…').waitFor();
  expect(await item(page, 'Share with everyone').count()).toBe(0);
  await item(page, 'Ours').click();
  await expect.poll(() => queryOf(page).severity).toBe('high');
  await openMenu(page, 'Ours');
  expect(await item(page, /Rename|Delete|sharing/).count()).toBe(0);
});
