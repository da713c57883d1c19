import { useChromium } from '@tps/testing/browser';
import { openConsole, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

const TYPED = 'what the first person has typed';

const content = (page: Page) => page.getByRole('textbox', { name: 'Message or transcript' });

async function typeOn(page: Page): Promise<void> {
  await content(page).fill(TYPED);
}

async function signInAs(context: BrowserContext, accountId: string): Promise<void> {
  const value = await startSession(service, { accountId });
  const cookie = { name: 'tps-session', value, httpOnly: true, sameSite: 'Lax' } as const;
  await context.addCookies([{ ...cookie, url: service.baseUrl }]);
}

const keptIn = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

test('signing out removes what was typed, in this window and from the screens of the others', async () => {
  const { page, context, goto } = await openConsole(service, chromium, {
    path: '/scan',
    allowMessages: [/401/],
  });
  await typeOn(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await typeOn(other);
  await page.getByRole('button', { name: /^Person \d+/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/auth\/login/);
  expect(page.url()).not.toContain('scan');
  expect(await keptIn(page)).not.toContain(TYPED);
  await other.waitForURL(/\/auth\/login/);
  await signInAs(context, (await createPerson(service, { role: 'viewer' })).accountId);
  await goto('/scan');
  await content(page).waitFor();
  expect(await keptIn(page)).not.toContain(TYPED);
});

test('a draft is shown neither to the next person nor in another tenant', async () => {
  const { page, context, person, goto } = await openConsole(service, chromium, { path: '/scan' });
  await typeOn(page);
  const { tenantId } = await service.createTenant();
  const { accountId } = person;
  const membership = { tenant_id: tenantId, account_id: accountId, role: 'admin', created_by: 'test' };
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, created_at: Date.now() }]),
  );
  await page.goto(`${service.baseUrl}/console/${tenantId}/scan`);
  expect(await content(page).inputValue()).toBe('');
  await goto('/scan');
  expect(await content(page).inputValue()).toBe(TYPED);
  const next = await createPerson(service, { role: 'analyst' });
  expect(next.accountId).not.toBe(person.accountId);
  await signInAs(context, next.accountId);
  await goto('/scan');
  expect(await content(page).inputValue()).toBe('');
  expect(await keptIn(page)).not.toContain(TYPED);
});

test('a page does not act as another person who has signed in to the browser', async () => {
  const { page, context, person } = await openConsole(service, chromium, {
    path: '/guidance',
    allowMessages: [/401/],
  });
  const devices = page.getByRole('link', { name: 'Devices', exact: true });
  // Until then the page may still wait for its first token, and the test would not revoke that one.
  await devices.waitFor();
  const acts = page.waitForRequest((request) => request.url().endsWith('/console/session'));
  await signInAs(context, (await createPerson(service, { role: 'analyst' })).accountId);
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('tokens')
      .set({ revoked_at: Date.now() })
      .where('account_id', '=', person.accountId)
      .execute(),
  );
  // The page may have noticed by itself, and then covers this link.
  await devices.dispatchEvent('click');
  await acts;
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
});
