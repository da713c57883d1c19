import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { FROM_SOURCE } from '@tps/testing/process';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();
const HOSTILE = `<b>Anna</b> \u202Eenohp\u202C ${'y'.repeat(150)}`;
const TPS = fileURLToPath(new URL('../../../packages/cli/bin/tps.js', import.meta.url));

/** Runs what a person pastes into a shell in which `tps` is installed. */
function paste(lines: string): Promise<{ code: number; output: string }> {
  const directory = newFolder();
  const program = join(directory, 'tps');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" ${FROM_SOURCE.join(' ')} "${TPS}" "$@"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${directory}${delimiter}${process.env.PATH}`, HOME: directory };
  return new Promise((resolve) => {
    execFile('bash', ['-c', lines], { cwd: directory, env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

test('an admin gets a command that enrols a device, and sees the device and its event', async () => {
  const { page, goto } = await openConsole(service, chromium, { path: '/devices' });
  await page.getByRole('button', { name: 'Enrol devices' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the secret').fill('Trial');
  await dialog.getByRole('button', { name: 'Create secret' }).click();
  const command = dialog.getByLabel('Command that enrols a device').locator('pre');
  const { code, output } = await paste((await command.textContent()) ?? '');
  expect(code, output).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await goto('/devices');
  await page.getByText('Trial device').first().click();
  const detail = page.getByRole('article');
  await detail.getByText('Not silent').waitFor();
  await detail.getByText('Ed25519, 256 bits').waitFor();
  await detail.getByRole('link', { name: 'Show events' }).click();
  await page.getByText('Message with a link to a look-alike login page').first().waitFor();
});

test('what was typed survives a lost connection, and a device is revoked by its typed name', async () => {
  const { deviceId } = await registerTestDevice(service);
  const opened = await openConsole(service, chromium, {
    path: `/devices/${deviceId}`,
    allowMessages: [/ERR_|Failed to load resource/],
  });
  const { page, context } = opened;
  await page.getByRole('button', { name: 'Rename device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(HOSTILE);
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByRole('alert').waitFor({ timeout: 60_000 });
  expect(await dialog.getByLabel('Name').inputValue()).toBe(HOSTILE);
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: HOSTILE }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

  await page.getByRole('button', { name: 'Revoke device' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke device' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(HOSTILE);
  await revoke.click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Revoke device' }).count()).toBe(0);
});

test('a viewer sees devices and how they are, and no way to change them', async () => {
  const { deviceId } = await registerTestDevice(service);
  const { page, goto } = await openConsole(service, chromium, { role: 'viewer', path: '/devices' });
  await page.locator(`[data-id="${deviceId}"]`).waitFor();
  expect(await page.getByRole('button', { name: 'Enrol devices' }).count()).toBe(0);
  await goto('/devices?dialog=enrol');
  await page.locator(`[data-id="${deviceId}"]`).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await goto(`/devices/${deviceId}`);
  await page.getByText('Not silent').waitFor();
  expect(await page.getByRole('button', { name: /Rename|Revoke/ }).count()).toBe(0);
});
