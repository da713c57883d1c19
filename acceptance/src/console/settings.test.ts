import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { createPerson, useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

const button = (page: Page, name: string) => page.getByRole('button', { name });

test('an admin requests the deletion of the tenant by its name, and another one cancels it', async () => {
  const tenant = await service.createTenant();
  await registerTestDevice(service, { tenant });
  const { tenantId } = tenant;
  const first = await openConsole(service, chromium, { tenantId, path: '/settings' });
  await button(first.page, 'Request deletion…').click();
  const confirm = button(first.page, 'Request deletion').last();
  await first.page.getByLabel(/^Type/).fill('Other');
  expect(await confirm.isDisabled()).toBe(true);
  await first.page.getByLabel(/^Type/).fill('other');
  await confirm.click();
  await first.page.getByText('This tenant will be deleted on').waitFor();
  expect(await button(first.page, 'Request deletion…').count()).toBe(0);

  const viewer = await openConsole(service, chromium, { tenantId, role: 'viewer', path: '/settings' });
  await viewer.page.getByText('This tenant will be deleted on').waitFor();
  expect(await button(viewer.page, 'Cancel the deletion').count()).toBe(0);
  await viewer.goto('/');
  await viewer.page.getByRole('link', { name: /^This tenant will be deleted on/ }).click();
  await viewer.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

  const second = await openConsole(service, chromium, { tenantId, path: '/settings' });
  await button(second.page, 'Cancel the deletion').click();
  await button(second.page, 'Request deletion…').waitFor();
});

test('an analyst reads the settings and cannot delete the tenant', async () => {
  const { page } = await openConsole(service, chromium, { role: 'analyst', path: '/settings' });
  await page.getByRole('row', { name: /^Events 180 days/ }).waitFor();
  expect(await page.getByText('Danger zone').count()).toBe(0);
});

test('after a long session the deletion first asks who the person is', async () => {
  const { tenantId } = await service.createTenant();
  const { page } = await openConsole(service, chromium, {
    tenantId,
    path: '/settings',
    signedInAtMs: Date.now() - 20 * 60_000,
    allowMessages: [/401/],
  });
  await page.getByLabel('Days until the deletion').fill('14');
  await button(page, 'Request deletion…').click();
  await page.getByLabel(/^Type/).fill('other');
  await button(page, 'Request deletion').last().click();
  await page.waitForURL(/\/auth\//);
  await page.goBack();
  await expect.poll(() => page.getByLabel('Days until the deletion').inputValue()).toBe('14');
});

test('the guidance has cards for each audience and language, with the choice in the address', async () => {
  const { page } = await openConsole(service, chromium, { role: 'viewer', path: '/guidance' });
  const cards = page.locator('main article');
  await cards.first().waitFor();
  expect(await cards.count()).toBeGreaterThanOrEqual(6);
  await page.getByText('Deutsch', { exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('locale')).toBe('de');
  await expect.poll(() => cards.first().getAttribute('lang')).toBe('de');
});

test('the audit log shows hostile names as text, and opens an entry beside the list', async () => {
  const hostile = '<script>alert(1)</script>';
  const { credential, tenantId } = service.tenant;
  const body = { name: hostile, threat_categories: ['phishing'], action: 'warn' };
  await service.client.send('POST', '/policies', { credential, body });
  await createPerson(service, { tenantId, role: 'admin' });
  const { page } = await openConsole(service, chromium, { path: '/audit?action=policy.create' });
  const row = page.getByRole('row', { name: /alert\(1\)/ });
  await row.waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const entry = page.locator('article');
  await entry.getByText('All policy.create').waitFor();
  expect(await entry.textContent()).toContain(hostile);
  expect(new URL(page.url()).searchParams.get('open')).toMatch(/^aud_/);
});

test('the page of a key shows what happened to it, with the name of the actor', async () => {
  const { credential } = service.tenant;
  const body = { name: 'SIEM reader', scopes: ['events:read'] };
  const { body: key } = await service.client.send('POST', '/tokens', { credential, body });
  const { token_id: id } = key as { token_id: string };
  const { page } = await openConsole(service, chromium, { path: `/keys/${id}` });
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Token "SIEM reader" created').waitFor();
  await history.getByRole('link', { name: 'first tenant admin' }).waitFor();
  await page.getByRole('region', { name: 'What it did' }).getByText('Nothing recorded yet.').waitFor();
});
