import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Chromium, useChromium } from '@tps/testing/browser';
import { newFolder } from '@tps/testing/fixture';
import { spawnService } from '@tps/testing/process';
import { useReceivers } from '@tps/testing/receiver';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));
const PASSWORD = 'correct horse battery staple';

const chromium = useChromium();
const startReceiver = useReceivers();

test('a newcomer with npm start and a browser does the work of a day', { timeout: 300_000 }, async () => {
  // As `npm start`. The receiver of the webhook is on this machine, which must be allowed.
  const service = await spawnService({
    env: {
      SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
      SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
    },
  });
  const { page, problems } = await openBrowser(chromium);

  await becomeAdministrator(page, service.credentials().adminLink);
  await expectKeyWorks(service.baseUrl, await makeKey(page));
  const command = await createEnrolment(page);
  await watchEventsOf(page, () => runAsCopied(command));
  await triageFromTheKeyboard(page);
  await runAsCopied(command.replaceAll('trial-device', 'second-device'));
  await approveJob(page);
  await replayDeadLetter(page, () => runAsCopied(command.replaceAll('trial-device', 'third-device')));
  await signOutEverywhere(page);

  expect(problems).toEqual([]);
});

/** A new browser, and everything that it complains about. */
async function openBrowser({ newContext }: Chromium) {
  const context = await newContext({ viewport: { width: 1280, height: 800 } });
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('weberror', (error) => void problems.push(String(error.error())));
  return { page: await context.newPage(), problems };
}

async function becomeAdministrator(page: Page, adminLink: string): Promise<void> {
  await page.goto(adminLink);
  await page.locator('[name=name]').fill('Ada Berg');
  await page.locator('[name=email]').fill('ada@example.com');
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('form button').last().click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Returns the key, which is shown once. */
async function makeKey(page: Page): Promise<string> {
  await openPage(page, 'Keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Dashboard');
  await dialog.getByRole('combobox', { name: 'Scopes' }).or(dialog.getByLabel('Scopes')).first().click();
  await page.getByRole('option', { name: 'Read everything that devices report' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog
    .getByText(/^svc_live_/)
    .first()
    .textContent();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  return (key ?? '').trim();
}

async function expectKeyWorks(baseUrl: string, key: string): Promise<void> {
  const response = await fetch(`${baseUrl}/status`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
}

/** Returns the command that the console offers to copy. */
async function createEnrolment(page: Page): Promise<string> {
  await openPage(page, 'Devices');
  await page
    .getByRole('button', { name: /^Enrol/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the secret').fill('Trial');
  await dialog.getByLabel('Devices').fill('3');
  await dialog.getByRole('button', { name: 'Create secret' }).click();
  const command = await dialog
    .getByRole('figure', { name: 'Command that enrols a device' })
    .locator('pre')
    .textContent();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  return command ?? '';
}

/** Runs what a person copied from a page, in their shell. */
async function runAsCopied(command: string): Promise<void> {
  const env = { PATH: `${BIN}:${dirname(process.execPath)}:${process.env.PATH}` };
  await promisify(execFile)('bash', ['-c', command], { cwd: newFolder(), env });
}

async function watchEventsOf(page: Page, cause: () => Promise<void>): Promise<void> {
  await openPage(page, 'Events');
  await page.locator('[data-live-state=connected]').waitFor();
  await cause();
  await rows(page).filter({ hasText: 'look-alike login page' }).first().waitFor();
}

/** Takes the incident of the copied command, and resolves it. No pointer is used. */
async function triageFromTheKeyboard(page: Page): Promise<void> {
  await openPage(page, 'Incidents');
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article');
  await detail.getByRole('button', { name: 'Assign to me' }).waitFor();
  await page.keyboard.press('a');
  await detail.getByText('In progress').first().waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio').first().waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('the sender is blocked');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await detail.getByText('Resolved').first().waitFor();
  await page.keyboard.press('Escape');
}

async function approveJob(page: Page): Promise<void> {
  await openPage(page, 'Incidents');
  await rows(page).first().getByText('Phishing on device').click();
  const detail = page.getByRole('article');
  await detail.getByRole('button', { name: 'Start triage' }).click();
  await detail.getByRole('link', { name: 'Review the recommendation' }).click();
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Recommendation approved').waitFor();
}

/** Registers a webhook whose receiver is broken, repairs the receiver, and replays what it missed. */
async function replayDeadLetter(page: Page, cause: () => Promise<void>): Promise<void> {
  const receiver = await startReceiver({ respond: { status: 400 } });
  await openPage(page, 'Webhooks');
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Automatic replay').press('Space');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await cause();
  await receiver.waitFor(1);
  receiver.respondWith({ status: 200 });
  await openPage(page, 'Dead letters');
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Replay' }).click();
  await receiver.waitFor(2);
}

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Ada Berg/ }).click();
  await page.getByRole('menuitem', { name: /sessions/ }).click();
  await page
    .getByRole('link', { name: /sessions|browsers/i })
    .first()
    .click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.locator('[name=password]').waitFor();
}

async function openPage(page: Page, title: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: title, exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

function rows(page: Page): Locator {
  return page.locator('[role=row][data-id]');
}
