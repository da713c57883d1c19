import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

// Reading a file must not overrun the time limit while other tests run.
const service = useTestService({ env: { SERVICE_SCAN_DEADLINE_MS: '20000' } });
const chromium = useChromium();

test('a message, a file and an app are scanned, and each result is explained', async () => {
  const { page } = await openConsole(service, chromium, { path: '/scan' });
  const scan = page.getByRole('button', { name: 'Scan', exact: true });
  expect(await scan.isDisabled()).toBe(true);
  const message =
    '<img src=x onerror=alert(1)> URGENT: confirm your password at https://login-verify.example';
  await page.getByLabel('Message or transcript').fill(message);
  await scan.click();
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();
  await page.getByText('Confidence').first().waitFor();

  await page.getByRole('radiogroup').getByText('File').click();
  const content = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*');
  const file = { name: 'invoice <b>.pdf', mimeType: 'application/pdf', buffer: content };
  await page.locator('input[type=file]').setInputFiles(file);
  await scan.click();
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'invoice <b>.pdf' }) });
  await section.getByRole('table').waitFor();
  expect(await section.getByText('Block', { exact: true }).count()).toBe(1);

  await page.getByRole('radiogroup').getByText('App').click();
  await page.getByLabel('Package name').fill('com.example.app');
  await scan.click();
  await page.getByRole('heading', { name: 'com.example.app' }).waitFor();
});

test('what was typed survives a cut connection', async () => {
  const { page, context } = await openConsole(service, chromium, {
    path: '/scan',
    allowMessages: [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/],
  });
  await page.getByRole('radiogroup').getByText('Link').click();
  await page.getByRole('textbox', { name: 'Link' }).fill('https://parcel.example/pay');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await context.setOffline(false);
  await page.reload();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Link' }).inputValue())
    .toBe('https://parcel.example/pay');
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
  await page.getByRole('heading', { name: 'https://parcel.example/pay' }).waitFor();
});
