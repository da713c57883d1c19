import { createClient } from '@tps/client';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const toClient = () => createClient({ baseUrl: service.baseUrl, credential: service.tenant.credential });

const LIST = `# bad hosts
value,first seen
hxxps://parcel[.]example/pay,2026-01-01
bank-login.example
<script>alert(1)</script>
co.uk
bank-login.example
`;

test('a pasted list shows what each line is, and its valid lines are imported', async () => {
  const { page, context } = await openConsole(service, chromium, {
    path: '/indicators',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/],
  });
  await page.getByRole('button', { name: 'Import indicators' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Values').fill(LIST);
  await dialog.getByRole('textbox', { name: 'Source' }).fill('paste');
  await dialog.getByRole('button', { name: 'Check 4 lines' }).click();
  await dialog.getByText('2 new, 0 known, 2 invalid').waitFor();
  await dialog.getByText('parcel.example/pay').waitFor();

  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Import 2 indicators' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Values').inputValue()).toBe(LIST);
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Import 2 indicators' }).click();
  await page.getByText('2 added, 0 updated').waitFor();
  await page.getByRole('row', { name: 'Select bank-login.example' }).waitFor();
  const { data } = await toClient().indicators.list({ source: 'paste' }).page();
  expect(data.map(({ type, value }) => `${type} ${value}`)).toEqual([
    'domain bank-login.example',
    'url parcel.example/pay',
  ]);
});

test('a value shows what each source says; a source is removed by its name', async () => {
  const label = '<b>Portal</b> \u202Ecopy';
  const one = {
    type: 'domain',
    category: 'phishing',
    threat_type: 'known_indicator',
    confidence: 0.9,
  } as const;
  const client = toClient();
  for (const source of ['first', 'second']) {
    await client.indicators.import({ source, indicators: [{ ...one, value: 'twice.example', label }] });
  }
  const { page } = await openConsole(service, chromium, { path: '/indicators?value=twice' });
  await page.getByText('twice.example').first().click();
  const article = page.getByRole('article', { name: 'twice.example' });
  await article.getByRole('heading', { name: 'second' }).waitFor();
  expect(await article.getByText('<b>Portal</b>').count()).toBe(2);

  await page.getByRole('button', { name: 'Sources' }).click();
  await page.getByRole('button', { name: 'Remove second' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('second');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click();
  await expect
    .poll(async () => (await client.indicators.sources()).data.map(({ source }) => source))
    .not.toContain('second');
});

test('a viewer searches indicators and can neither import nor remove them', async () => {
  const person = await createPerson(service, { role: 'viewer' });
  const { page } = await openConsole(service, chromium, { person, path: '/indicators' });
  await page.getByRole('button', { name: 'Sources' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('button', { name: /remove/i }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Import indicators' }).count()).toBe(0);
});
