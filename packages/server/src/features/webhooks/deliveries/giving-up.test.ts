import type { Incident } from '@tps/contract';
import type { WebhookReceiver } from '@tps/testing/receiver';
import type { TestWebhook } from '@tps/testing/service';
import { describe, expect, test, vi } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  readAudit,
  type Sender,
  SOON,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const scene = usePushScene();

interface Subject {
  readonly receiver: WebhookReceiver;
  readonly sender: Sender;
  readonly webhook: TestWebhook;
  /** Sends one event and waits until its delivery is over. */
  push(): Promise<void>;
  /** Incidents opened by the service itself. */
  findings(): Promise<Incident[]>;
}

async function createSubject(status: number): Promise<Subject> {
  const receiver = await scene.receive(status);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  let sent = 0;
  return {
    receiver,
    sender,
    webhook,
    async push() {
      // Of low severity, so that it opens no other incident.
      await sender.send({ severity: 'low' });
      sent += 1;
      await waitForDeliveries(webhook, sent);
    },
    async findings() {
      const answer = await sender.call('GET', '/incidents?limit=100');
      const { data } = answer.body as { data: Incident[] };
      return data.filter(({ category }) => category === 'monitoring');
    },
  };
}

async function expectDisabled(
  { webhook, findings }: Subject,
  reason: 'gone' | 'failing',
  why: RegExp,
): Promise<void> {
  expect(await webhook.read()).toMatchObject({ status: 'disabled', disabled_reason: reason });
  const audit = await readAudit(scene, webhook.webhookId);
  const entries = audit.filter(({ action }) => action === 'webhook.disable');
  expect(entries).toMatchObject([
    {
      actor_type: 'service',
      actor_id: 'service',
      outcome: 'success',
      request_id: null,
      detail: expect.stringMatching(why),
      fields: { status: 'disabled', disabled_reason: reason },
    },
  ]);
  expect(await findings()).toMatchObject([
    { status: 'open', severity: 'high', message: expect.stringMatching(why) },
  ]);
}

describe('a receiver that responds with 410', () => {
  test('has its webhook disabled at once, with audit entry and incident', async () => {
    const subject = await createSubject(410);
    const { webhook, sender, receiver, push } = subject;
    await push();
    await expectDisabled(subject, 'gone', new RegExp(`^Webhook ${webhook.webhookId} was disabled: .*410`));
    expect(await webhook.deadLetters()).toMatchObject([{ attempts: 1, last_status: 410 }]);
    await sender.send({ severity: 'low' });
    expect(await webhook.deliveries()).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a webhook without one success', () => {
  test('is disabled after 5 days of failures, and not before', async () => {
    const subject = await createSubject(404);
    await subject.push();
    scene.clock.advance(5 * DAY_MS - HOUR_MS);
    await subject.push();
    expect(await subject.webhook.read()).toMatchObject({ status: 'active', disabled_reason: null });
    expect(await subject.findings()).toEqual([]);
    scene.clock.advance(HOUR_MS);
    await subject.push();
    await expectDisabled(subject, 'failing', /no delivery has succeeded for 5 days; .*responded with 404/);
  });

  test('has 5 more days from each success', async () => {
    const { webhook, receiver, push, findings } = await createSubject(404);
    await push();
    scene.clock.advance(4 * DAY_MS);
    receiver.respondWith(200);
    await push();
    receiver.respondWith(404);
    scene.clock.advance(2 * DAY_MS);
    await push();
    scene.clock.advance(4 * DAY_MS);
    await push();
    expect(await webhook.read()).toMatchObject({ status: 'active' });
    expect(await findings()).toEqual([]);
    scene.clock.advance(DAY_MS);
    await push();
    expect(await webhook.read()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });

  test('has 5 more days from the time it is enabled again', async () => {
    const { webhook, push } = await createSubject(404);
    await push();
    scene.clock.advance(5 * DAY_MS);
    await push();
    expect(await webhook.read()).toMatchObject({ status: 'disabled' });
    const enabled = await webhook.send('PATCH', '', { status: 'active' });
    expect(enabled.body).toMatchObject({ status: 'active', disabled_reason: null });
    await push();
    scene.clock.advance(5 * DAY_MS - HOUR_MS);
    await push();
    expect(await webhook.read()).toMatchObject({ status: 'active' });
    scene.clock.advance(HOUR_MS);
    await push();
    expect(await webhook.read()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });
});

describe('dead letters of one webhook', () => {
  test('are one incident when there are ten within an hour, and stay one', async () => {
    const { webhook, sender, push, findings } = await createSubject(404);
    for (let count = 0; count < 9; count += 1) await push();
    expect(await findings()).toEqual([]);
    await push();
    const opened = await findings();
    expect(opened).toMatchObject([
      { status: 'open', severity: 'high', message: expect.stringContaining(webhook.webhookId) },
    ]);
    for (let count = 0; count < 3; count += 1) await push();
    expect(await findings()).toEqual(opened);
    expect(await webhook.read()).toMatchObject({ status: 'active' });
    const { body } = await sender.call('GET', `/incidents/${opened[0]?.id}`);
    expect((body as Incident).timeline).toMatchObject([{ kind: 'opened', actor: 'service' }]);
  });

  test('are not an incident when fewer than ten occur within an hour', async () => {
    const { push, findings } = await createSubject(404);
    for (let count = 0; count < 9; count += 1) await push();
    scene.clock.advance(HOUR_MS + 1000);
    for (let count = 0; count < 9; count += 1) await push();
    expect(await findings()).toEqual([]);
    await push();
    expect(await findings()).toHaveLength(1);
  });
});

test('deliveries that wait for a disabled webhook are kept, and sent when it is enabled', async () => {
  const { webhook, receiver, sender } = await createSubject(503);
  const other = await sender.register((await scene.receive(503)).url);
  await sender.send({ severity: 'low' });
  const attemptsOf = async (one: TestWebhook) => (await one.deliveries())[0]?.attempts;
  await vi.waitFor(
    async () => expect([await attemptsOf(webhook), await attemptsOf(other)]).toEqual([1, 1]),
    SOON,
  );
  await webhook.send('PATCH', '', { status: 'disabled' });
  scene.clock.advance(2000);
  // Both are due; only the active one gets its second attempt.
  await vi.waitFor(async () => expect(await attemptsOf(other)).toBe(2), SOON);
  expect(await webhook.deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
  expect(receiver.requests).toHaveLength(1);
  receiver.respondWith(200);
  await webhook.send('PATCH', '', { status: 'active' });
  expect(await waitForDeliveries(webhook)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  await waitForDeadLetters(webhook, 0);
});
