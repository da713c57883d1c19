import { type Incident, type Job, type TimelineDocument, TRIAGE_WORKFLOW } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';

let device: TestDevice;
let incident: Incident;
let job: Job;

const service = useTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '10000' } });
const chromium = useChromium();

const send = async <Body>(method: string, path: string, body?: object) =>
  (await service.client.send(method, path, { credential: device.tenant.credential, ...(body && { body }) }))
    .body as Body;

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
  await device.post(device.event({ description: 'A call from a <b>bank</b>', severity: 'critical' }));
  [incident] = (await send<{ data: [Incident] }>('GET', '/incidents')).data;
  job = await send<Job>('POST', '/jobs', { workflow_id: TRIAGE_WORKFLOW, input_refs: [incident.id] });
  await expect.poll(() => read()).toMatchObject({ status: 'waiting_review' });
});

const read = () => send<Job>('GET', `/jobs/${job.job_id}`);
const open = (role: 'analyst' | 'viewer', path = `/jobs/${job.job_id}`) =>
  openConsole(service, chromium, {
    tenantId: device.tenant.tenantId,
    role,
    path,
    allowMessages: [/ERR_|Failed to load/],
  });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the report and its evidence are side by side, and approving applies the recommendation', async () => {
  const { page, person } = await open('analyst');
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('What happened').waitFor();
  const [left, right] = await Promise.all([
    report.boundingBox(),
    page.getByRole('region', { name: 'Reasons' }).boundingBox(),
  ]);
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + 100);
  expect(Math.abs((right?.y ?? 0) - (left?.y ?? 0))).toBeLessThan(10);
  // The evidence has the times of the events.
  const { data } = await send<{ data: { kind: string; content: string }[] }>(
    'GET',
    `/jobs/${job.job_id}/artifacts`,
  );
  const content = JSON.parse(data.find(({ kind }) => kind === 'timeline')?.content ?? '') as TimelineDocument;
  const times = page.getByRole('region', { name: 'Evidence over time' }).locator('time');
  const shown = await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
  expect(shown).toEqual(content.moments.map(({ at }) => at));
  const events = (await send<{ data: { event_id: string; timestamp: string }[] }>('GET', '/events')).data;
  for (const { event_id: id, timestamp: at } of events)
    expect(content.moments).toContainEqual(expect.objectContaining({ id, at }));
  // What a device wrote is quoted, never interpreted.
  await report.getByText('<b>bank</b>').first().waitFor();
  expect(await report.locator('b').count()).toBe(0);
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByRole('textbox').fill('Read it');
  await page.keyboard.press('Control+Enter');
  await expect.poll(read).toMatchObject({ status: 'completed', reviewed_by: person.accountId });
  await page.getByRole('region', { name: 'History' }).getByText('approved: Read it').waitFor();
  await page.getByRole('region', { name: 'Trace' }).getByText('Apply decision').waitFor();
  await expect.poll(() => button(page, 'Approve…').count()).toBe(0);
});

test('an amendment shows its difference, survives a lost connection, and runs again', async () => {
  const alertId = incident.alert_ids[0] ?? '';
  const { page, context } = await open('analyst');
  await page.getByText('Recommendation').first().waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  const inputs = dialog.getByRole('textbox', { name: 'Inputs' });
  await inputs.fill(`${alertId}\nnonsense`);
  await dialog.getByText('nonsense is not the id').waitFor();
  await inputs.fill(alertId);
  const difference = dialog.getByRole('list', { name: 'Changes since the last run' });
  await expect
    .poll(() => difference.getByRole('listitem').allTextContents())
    .toEqual([`− ${incident.id} removed`, `+ ${alertId} added`]);
  await context.setOffline(true);
  await button(page, 'Run again').click();
  await dialog.getByText('The service does not respond').waitFor();
  await context.setOffline(false);
  await page.reload();
  await page.getByText('Recommendation').first().waitFor();
  await page.keyboard.press('a');
  expect(await inputs.inputValue()).toBe(alertId);
  await button(page, 'Run again').click();
  await expect.poll(read).toMatchObject({ status: 'waiting_review', run_count: 2, input_refs: [alertId] });
  await page.getByText('Run 2 of 3').waitFor();
});

test('a job is rejected, and another one cancelled', async () => {
  const { page, goto } = await open('analyst');
  await button(page, 'Reject…').click();
  await button(page, 'Reject').click();
  await expect.poll(read).toMatchObject({ status: 'rejected' });
  job = await send<Job>('POST', '/jobs', { workflow_id: TRIAGE_WORKFLOW, input_refs: [incident.id] });
  await goto(`/jobs/${job.job_id}`);
  await button(page, 'Cancel job…').click();
  await button(page, 'Cancel job').click();
  await expect.poll(read).toMatchObject({ status: 'cancelled' });
});

test('an incident leads to its job, and starts one', async () => {
  const { page } = await open('analyst', `/incidents/${incident.id}`);
  await page.getByRole('link', { name: 'Review the recommendation' }).click();
  await button(page, 'Approve…').waitFor();
  await page.goBack();
  await button(page, 'Start triage again').click();
  const jobs = () => send<{ data: Job[] }>('GET', '/jobs');
  await expect.poll(async () => (await jobs()).data.length).toBe(2);
});

test('a viewer reads a job and decides nothing', async () => {
  const { page } = await open('viewer');
  await page.getByRole('region', { name: 'Report' }).getByText('What happened').waitFor();
  for (const name of ['Approve…', 'Amend…', 'Reject…', 'Cancel job…']) {
    expect(await button(page, name).count()).toBe(0);
  }
});
