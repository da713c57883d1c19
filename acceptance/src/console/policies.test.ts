import { createClient } from '@tps/client';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { createPerson, useTestService } from '@tps/testing/service';
import { beforeAll, expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const HOSTILE = '<img src=x onerror="document.title=1"> \u202Egnp.exe';
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  client = createClient({ baseUrl: service.baseUrl, credential: service.tenant.credential });
  const device = await registerTestDevice(service);
  const events = [0.4, 0.6, 0.6, 0.95].map((confidence) =>
    device.event({
      confidence,
      action_taken: confidence > 0.9 ? 'block' : confidence > 0.5 ? 'warn' : 'allow',
    }),
  );
  expect((await device.post({ events }, { path: '/events/batch' })).status).toBe(200);
});

const figure = (label: string) => `dl div:has(dt:text-is("${label}")) dd`;

test('an admin sees what a policy would have done, creates it, changes it and archives it', async () => {
  const { page } = await openConsole(service, chromium, { path: '/policies' });
  await page.getByRole('button', { name: 'New policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByRole('checkbox', { name: 'Phishing' }).check();
  await dialog.getByLabel('From confidence').fill('0.5');
  await expect
    .poll(() => dialog.locator(figure('Stricter than the current policies')).textContent())
    .toBe('2');
  expect(await client.policies.list().page()).toMatchObject({ data: [] });
  await dialog.getByRole('button', { name: 'Create policy' }).click();

  await page.getByRole('heading', { level: 1, name: HOSTILE.slice(0, 10) }).waitFor();
  expect(await page.title()).toContain('<img');
  await page.getByLabel('From confidence').fill('0.99');
  await expect
    .poll(() => page.locator(figure('Less strict than the current policies')).textContent())
    .toBe('3');
  await page.getByRole('button', { name: 'Save policy' }).click();
  await expect
    .poll(async () => (await client.policies.list().page()).data[0]?.confidence_threshold)
    .toBe(0.99);

  await page.getByRole('button', { name: 'Archive policy' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(HOSTILE);
  await page.getByRole('dialog').getByRole('button', { name: 'Archive policy' }).click();
  await page.getByText('Archived', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Save policy' }).count()).toBe(0);
  expect(await client.policies.list().page()).toMatchObject({ data: [] });
});

test('a rule that was typed survives a cut connection and a reload, and is saved once', async () => {
  const policy = await client.policies.create({
    name: 'Calls',
    threat_categories: ['phone_scam'],
    action: 'warn',
  });
  const { page, context } = await openConsole(service, chromium, {
    path: `/policies/${policy.policy_id}`,
    allowMessages: [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/],
  });
  await page.getByLabel('Name').fill('Calls, stricter');
  await page.getByRole('radiogroup').getByText('Block').click();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save policy' }).click();
  await page.getByRole('alert').first().waitFor();
  await context.setOffline(false);
  await page.reload();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Calls, stricter');
  await page.getByRole('button', { name: 'Save policy' }).click();
  await expect
    .poll(() => client.policies.get(policy.policy_id))
    .toMatchObject({ name: 'Calls, stricter', action: 'block', version: 2 });
});

test('a viewer reads a policy and its simulation, and can change nothing', async () => {
  const policy = await client.policies.create({
    name: 'Read me',
    threat_categories: ['phishing'],
    action: 'warn',
  });
  const person = await createPerson(service, { role: 'viewer' });
  const { page, goto } = await openConsole(service, chromium, { person, path: '/policies' });
  await page.getByText('Read me').first().waitFor();
  expect(await page.getByRole('button', { name: 'New policy' }).count()).toBe(0);
  await goto(`/policies/${policy.policy_id}`);
  await page.getByText('4 decisions in these categories').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: /policy/i }).count()).toBe(0);
});
