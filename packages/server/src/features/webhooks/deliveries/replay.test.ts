import type { DeadLetter, ReplayStarted } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import { describe, expect, test, vi } from 'vitest';
import {
  HOUR_MS,
  passRetries,
  readAudit,
  SOON,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const scene = usePushScene();

/** A tenant with one dead letter, whose receiver then responds as the test wants. */
async function createDead() {
  const receiver = await scene.receive(404);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  const event = await sender.send();
  const [entry] = (await waitForDeadLetters(webhook)) as [DeadLetter];
  const replay = (body: object) => sender.call('POST', '/webhooks/dlq', body);
  return { receiver, sender, webhook, event, entry, replay };
}

describe('a replay', () => {
  test('that succeeds removes the dead letter, and delivers the same event again', async () => {
    const { receiver, sender, webhook, event, entry, replay } = await createDead();
    receiver.respondWith(204);
    scene.clock.advance(HOUR_MS);
    const answer = await replay({ entry_id: entry.entry_id });
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toEqual({ entry_id: entry.entry_id, delivery_id: entry.delivery_id });
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-idempotency-key']).not.toBe(
      first?.headers['x-service-idempotency-key'],
    );
    await waitForDeadLetters(webhook, 0);
    expect(await waitForDeliveries(webhook)).toMatchObject([
      { delivery_id: entry.delivery_id, event_id: event.event_id, status: 'delivered', attempts: 1 },
    ]);
    expect(await webhook.read()).toMatchObject({
      last_delivery_status: 'delivered',
      last_delivery_attempts: 1,
    });
    expect((await replay({ entry_id: entry.entry_id })).status).toBe(404);
    const audit = await readAudit(scene, webhook.webhookId);
    expect(audit.slice(1)).toMatchObject([
      {
        action: 'webhook.replay',
        actor_type: 'token',
        outcome: 'success',
        fields: { entry_id: entry.entry_id, event_id: event.event_id },
      },
    ]);
    expect((await sender.call('GET', '/events')).body).toMatchObject({
      data: [{ event_id: event.event_id }],
    });
  });

  test('that fails keeps the dead letter, with three new attempts and 7 more days', async () => {
    const { receiver, webhook, entry, replay } = await createDead();
    receiver.respondWith(500);
    scene.clock.advance(HOUR_MS);
    expect((await replay({ entry_id: entry.entry_id })).status).toBe(202);
    await receiver.waitFor(2);
    // It stays on the list while the replay runs.
    expect(await webhook.deadLetters()).toMatchObject([
      { entry_id: entry.entry_id, failed_at: entry.failed_at },
    ]);
    await passRetries(scene, receiver, 4);
    await vi.waitFor(async () => {
      const [after] = await webhook.deadLetters();
      expect(after).toMatchObject({ entry_id: entry.entry_id, attempts: 3, last_status: 500 });
      expect(Date.parse(after?.failed_at ?? '')).toBeGreaterThan(Date.parse(entry.failed_at) + HOUR_MS);
      const keptMs = Date.parse(after?.expires_at ?? '') - Date.parse(after?.failed_at ?? '');
      expect(keptMs).toBe(7 * 24 * HOUR_MS);
    }, SOON);
    expect(receiver.requests).toHaveLength(4);
  });

  test('requested again during a replay joins the running one', async () => {
    const { receiver, webhook, entry, replay } = await createDead();
    let answer: (status: number) => void = () => undefined;
    receiver.respondWith(
      () =>
        new Promise<number>((resolve) => {
          answer = resolve;
        }),
    );
    const started = await replay({ entry_id: entry.entry_id });
    await receiver.waitFor(2);
    // It stays on the list until it has succeeded.
    expect(await webhook.deadLetters()).toMatchObject([{ attempts: 0, failed_at: entry.failed_at }]);
    const again = await replay({ entry_id: entry.entry_id });
    const byWebhook = await replay({ webhook_id: webhook.webhookId });
    expect([again.status, again.body]).toEqual([202, started.body]);
    expect([byWebhook.status, byWebhook.body]).toEqual([202, started.body]);
    answer(200);
    await waitForDeadLetters(webhook, 0);
    expect(receiver.requests).toHaveLength(2);
    const audit = await readAudit(scene, webhook.webhookId);
    expect(audit.filter(({ action }) => action === 'webhook.replay')).toHaveLength(1);
  });

  test('of a webhook replays its newest dead letter', async () => {
    const { receiver, sender, webhook, entry, replay } = await createDead();
    const other = await sender.register((await scene.receive(404)).url);
    const newer = await sender.send();
    await waitForDeadLetters(webhook, 2);
    await waitForDeadLetters(other, 1);
    receiver.respondWith(200);
    const started = (await replay({ webhook_id: webhook.webhookId })).body as ReplayStarted;
    const left = await waitForDeadLetters(webhook, 1);
    expect(left).toMatchObject([{ entry_id: entry.entry_id }]);
    expect(await webhook.deliveries()).toMatchObject([
      { delivery_id: started.delivery_id, event_id: newer.event_id, status: 'delivered' },
      { delivery_id: entry.delivery_id, status: 'failed' },
    ]);
    expect(await other.deadLetters()).toHaveLength(1);
  });

  test('names either a dead letter or a webhook', async () => {
    const { webhook, entry, replay } = await createDead();
    const both = await replay({ entry_id: entry.entry_id, webhook_id: webhook.webhookId });
    expect([both.status, codeOf(both)]).toEqual([400, 'invalid_field']);
    const neither = await replay({});
    expect([neither.status, codeOf(neither)]).toEqual([400, 'missing_field']);
    for (const body of [
      { entry_id: entry.delivery_id },
      { entry_id: 5 },
      { webhook_id: 'whk_' },
      { all: true },
    ]) {
      const answer = await replay(body);
      expect([answer.status, codeOf(answer)], JSON.stringify(body)).toEqual([400, 'invalid_field']);
    }
  });

  test('of an unknown or foreign dead letter is not found', async () => {
    const { receiver, webhook, entry, replay } = await createDead();
    const stranger = await scene.createSender();
    const idle = await stranger.register(receiver.url);
    for (const body of [
      { entry_id: entry.entry_id },
      { webhook_id: webhook.webhookId },
      { webhook_id: idle.webhookId },
    ]) {
      expect((await stranger.call('POST', '/webhooks/dlq', body)).status, JSON.stringify(body)).toBe(404);
    }
    expect((await replay({ entry_id: `dlq_${'0'.repeat(26)}` })).status).toBe(404);
    expect((await replay({ webhook_id: `whk_${'0'.repeat(26)}` })).status).toBe(404);
    expect(await webhook.deliveries()).toMatchObject([{ status: 'failed' }]);
  });

  test('to a disabled webhook is rejected, and the dead letter stays', async () => {
    const { receiver, webhook, entry, replay } = await createDead();
    await webhook.send('PATCH', '', { status: 'disabled' });
    for (const body of [{ entry_id: entry.entry_id }, { webhook_id: webhook.webhookId }]) {
      const refused = await replay(body);
      expect([refused.status, codeOf(refused)]).toEqual([422, 'invalid_state_transition']);
    }
    expect(await webhook.deadLetters()).toEqual([entry]);
    expect(receiver.requests).toHaveLength(1);
  });
});
