import { readFile } from 'node:fs/promises';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

test('an admin exports what is kept about a device, downloads it, and deletes it', async () => {
  const device = await registerTestDevice(service);
  await device.post(device.event({ severity: 'high' }));
  const { page } = await openConsole(service, chromium, { path: '/data-requests' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New data request' }).click();
  await dialog.getByLabel('Device ID').fill(device.deviceId);
  await dialog.getByRole('button', { name: 'Request the export' }).click();
  await page.getByRole('heading', { level: 1, name: `Export: ${device.deviceId}` }).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the records' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const kinds = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['device', 'event']));

  await page.getByRole('link', { name: 'Data requests' }).click();
  await page.getByRole('button', { name: 'New data request' }).click();
  await dialog.getByText('Deletion: the records are deleted permanently').click();
  await dialog.getByLabel('Device ID', { exact: true }).fill(device.deviceId);
  const remove = dialog.getByRole('button', { name: 'Delete permanently' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel('Type the device ID again to confirm').fill(device.deviceId);
  await remove.click();
  await page.getByRole('heading', { level: 1, name: 'Deletion: Device (ID not kept)' }).waitFor();
  await page.getByText('Proof', { exact: true }).waitFor();
  expect(await page.getByText(device.deviceId).count()).toBe(0);
});
