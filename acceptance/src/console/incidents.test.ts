import type { Event, Incident } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';

const HOSTILE = `<img src=x onerror=alert(1)> "quoted" '; ﷽ ${'long'.repeat(300)} \u202Etxet`;

let device: TestDevice;

const service = useTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '10000' } });
const chromium = useChromium();

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

const open = (path: string, options: Partial<Parameters<typeof openConsole>[2]> = {}) =>
  openConsole(service, chromium, { tenantId: device.tenant.tenantId, role: 'analyst', path, ...options });

async function incidents(): Promise<Incident[]> {
  const { credential } = device.tenant;
  const answer = await service.client.send('GET', '/incidents', { credential });
  return (answer.body as { data: Incident[] }).data;
}

/** Opens an incident in the service and returns it. */
async function raise(members: Partial<Event> = {}): Promise<Incident> {
  await device.post(device.event(members));
  const [newest] = await incidents();
  if (!newest) throw new Error('the event opened no incident');
  return newest;
}

const patch = (id: string, body: object) =>
  service.client.send('PATCH', `/incidents/${id}`, { credential: device.tenant.credential, body });

const find = async (id: string) => (await incidents()).find((incident) => incident.id === id);
const rows = (page: Page) => page.locator('[role=row][data-id]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('from the keyboard alone', () => {
  test('an incident is found, taken, resolved, and gone from the list', async () => {
    await raise({ threat_category: 'deepfake' });
    const newest = await raise();
    const { page, person } = await open('/incidents');
    await rows(page).nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: newest.message }).waitFor();
    await page.keyboard.press('a');
    await expect
      .poll(() => find(newest.id))
      .toMatchObject({ status: 'in_progress', assignee: person.accountId });
    await button(page, 'Put on hold').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('dialog').getByRole('radio', { name: 'True positive' }).waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Called the person');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => find(newest.id))
      .toMatchObject({ status: 'resolved', resolution: 'true_positive' });
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.keyboard.press('Escape');
  });
});

test('several incidents are selected, taken and restored from the keyboard', async () => {
  for (const threat_category of ['deepfake', 'phone_scam', 'phishing'] as const)
    await raise({ threat_category });
  const { page, person } = await open('/incidents');
  await rows(page).nth(2).waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key);
  const assignees = async () => (await incidents()).map(({ assignee }) => assignee);
  await expect.poll(assignees).toEqual([person.accountId, person.accountId, null]);
  await page.getByText('2 incidents assigned to you').waitFor();
  await button(page, 'Undo').click();
  await expect.poll(assignees).toEqual([null, null, null]);
  expect((await incidents()).map(({ status }) => status)).toEqual(['open', 'open', 'open']);
});

test('all that match are resolved together, and the next one is not', async () => {
  for (const threat_category of ['deepfake', 'phone_scam'] as const) await raise({ threat_category });
  const critical = await raise({ severity: 'critical' });
  const { page } = await open('/incidents?severity=high');
  await rows(page).nth(1).waitFor();
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Test' }).check();
  await dialog.getByRole('textbox').fill('An exercise');
  await button(page, 'Resolve').click();
  await page.getByText('2 incidents resolved').waitFor();
  const ended = (await incidents()).filter(({ status }) => status === 'resolved');
  expect(ended.map(({ resolution }) => resolution)).toEqual(['test', 'test']);
  expect(await find(critical.id)).toMatchObject({ status: 'open' });
});

describe('two people and one incident', () => {
  test('where both change the status, the page shows both and asks which change stays', async () => {
    const { id } = await raise();
    const { page } = await open(`/incidents/${id}`, { allowMessages: [/412/] });
    await button(page, 'Put on hold').waitFor();
    await patch(id, { status: 'in_progress', assignee: 'Team North', comment: 'mine already' });
    await button(page, 'Put on hold').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Another person has changed this incident').waitFor();
    const text = await dialog.textContent();
    expect(text).toContain('StatusOpenIn progressOn hold');
    expect(text).toContain('Assignee–Team North');
    expect(text).toContain('mine already');
    expect(await find(id)).toMatchObject({ status: 'in_progress' });
    await button(page, 'Apply mine as well').click();
    await expect.poll(() => find(id)).toMatchObject({ status: 'on_hold', assignee: 'Team North' });
  });

  test('events that join meanwhile, and changes of something else, do not disturb', async () => {
    const { id } = await raise();
    const { page } = await open(`/incidents/${id}`, { allowMessages: [/412/] });
    await button(page, 'Put on hold').waitFor();
    await device.post(device.event());
    await patch(id, { tags: ['vip'] });
    await button(page, 'Put on hold').click();
    await expect.poll(() => find(id)).toMatchObject({ status: 'on_hold', tags: ['vip'] });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a comment that could not be sent is still there, also after a reload', async () => {
  const { id } = await raise();
  const { page, context } = await open(`/incidents/${id}`, { allowMessages: [/ERR_|Failed to load/] });
  const field = page.getByRole('textbox', { name: 'Comment' });
  await field.fill('The bank calls back');
  await context.setOffline(true);
  await button(page, 'Comment').click();
  await page.getByText('The service does not respond').waitFor();
  await context.setOffline(false);
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('The bank calls back');
  await button(page, 'Comment').click();
  await page.getByRole('list', { name: 'Timeline' }).getByText('The bank calls back').waitFor();
  expect(await field.inputValue()).toBe('');
  expect((await find(id))?.timeline.at(-1)).toMatchObject({ comment: 'The bank calls back' });
});

test('only the moves that the lifecycle allows are offered', async () => {
  const { id } = await raise();
  const { page, goto } = await open(`/incidents/${id}`);
  await button(page, 'Dismiss…').waitFor();
  const offered = async () =>
    await page.getByRole('group', { name: 'Actions' }).getByRole('button').allTextContents();
  expect(await offered()).toEqual(['Resolve…', 'Assign to me', 'Start work', 'Put on hold', 'Dismiss…']);
  await patch(id, { status: 'resolved', resolution: 'inconclusive' });
  await goto(`/incidents/${id}`);
  await button(page, 'Reopen…').waitFor();
  expect(await offered()).toEqual(['Reopen…', 'Close']);
  await patch(id, { status: 'closed' });
  await goto(`/incidents/${id}`);
  await page.getByText('Closed').first().waitFor();
  expect(await offered()).toEqual([]);
});

test('a viewer reads everything and changes nothing', async () => {
  const { id } = await raise({ indicators: ['sig:1'] });
  const { page } = await open(`/incidents/${id}`, { role: 'viewer' });
  await page.getByRole('list', { name: 'Timeline' }).getByText('Opened by event').waitFor();
  await page.getByText('sig:1').waitFor();
  for (const name of ['Assign to me', 'Resolve…', 'Comment', 'Start triage'])
    expect(await button(page, name).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
});

test('hostile text is shown as text', async () => {
  const { id } = await raise({ description: HOSTILE.slice(0, 400), indicators: [HOSTILE.slice(0, 200)] });
  await patch(id, { comment: HOSTILE, tags: [HOSTILE.slice(0, 60)], assignee: HOSTILE.slice(0, 100) });
  const { page } = await open(`/incidents/${id}`, { context: { viewport: { width: 390, height: 800 } } });
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  const { scroll, width } = await page.locator('main').evaluate((main) => ({
    scroll: main.scrollWidth,
    width: main.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(width);
});

test('similar incidents show how they ended', async () => {
  const first = await raise({ indicators: ['sig:7'] });
  await patch(first.id, { status: 'resolved', resolution: 'false_positive' });
  device = await registerTestDevice(service, { tenant: device.tenant });
  const second = await raise({ indicators: ['sig:7'] });
  const { page } = await open(`/incidents/${second.id}`);
  const similar = page.getByRole('region', { name: 'Similar incidents' });
  await similar.getByText('False positive').waitFor();
  expect(await similar.textContent()).toContain('same indicator');
});
