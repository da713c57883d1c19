import type { RecoveryStarted } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import type { WebhookReceiver } from '@tps/testing/receiver';
import type { TestWebhook } from '@tps/testing/service';
import { describe, expect, test, vi } from 'vitest';
import {
  DAY_MS,
  readAudit,
  SOON,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const scene = usePushScene();

const now = (offsetMs = 0) => new Date(scene.clock.now() + offsetMs).toISOString();

async function recover(webhook: TestWebhook, since: string): Promise<RecoveryStarted> {
  const answer = await webhook.send('POST', '/recover', { since });
  expect(answer.status, answer.text).toBe(202);
  return answer.body as RecoveryStarted;
}

function eventIdsAt(receiver: WebhookReceiver): string[] {
  return receiver.requests.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
}

async function disable(webhook: TestWebhook): Promise<void> {
  expect((await webhook.send('PATCH', '', { status: 'disabled' })).status).toBe(200);
}

async function enable(webhook: TestWebhook): Promise<void> {
  expect((await webhook.send('PATCH', '', { status: 'active' })).status).toBe(200);
}

describe('a recovery', () => {
  test('delivers missed and failed events, and none that were delivered', async () => {
    const receiver = await scene.receive(204);
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url, { severity_filter: ['high'] });
    const since = now();
    const delivered = await sender.send();
    await waitForDeliveries(webhook);
    receiver.respondWith(404);
    const failed = await sender.send();
    await waitForDeadLetters(webhook);
    await disable(webhook);
    const missed = await sender.send();
    await sender.send({ severity: 'low' });
    await sender.send({ action_taken: 'allow' });
    await enable(webhook);
    receiver.respondWith(204);

    const started = await recover(webhook, since);
    expect(started).toEqual({ webhook_id: webhook.webhookId, since, events: 5 });
    await receiver.waitFor(4);
    expect(await waitForDeliveries(webhook, 3)).toMatchObject([
      { event_id: missed.event_id, status: 'delivered', kind: 'event' },
      { event_id: failed.event_id, status: 'delivered' },
      { event_id: delivered.event_id, status: 'delivered' },
    ]);
    expect(await webhook.deadLetters()).toEqual([]);
    const arrived = eventIdsAt(receiver);
    expect(arrived.slice(0, 2)).toEqual([delivered.event_id, failed.event_id]);
    expect(arrived.slice(2).sort()).toEqual([failed.event_id, missed.event_id].sort());
    const audit = await readAudit(scene, webhook.webhookId);
    expect(audit.at(-1)).toMatchObject({ action: 'webhook.recover', actor_type: 'token', fields: { since } });
  });

  test('begins at the given time and leaves earlier events unchanged', async () => {
    const receiver = await scene.receive(204);
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await disable(webhook);
    await sender.send();
    scene.clock.advance(60_000);
    const since = now();
    const later = await sender.send();
    await enable(webhook);
    expect((await recover(webhook, since)).events).toBe(1);
    expect(await waitForDeliveries(webhook)).toMatchObject([{ event_id: later.event_id }]);
    expect((await recover(webhook, now())).events).toBe(0);
  });

  test('delivers events from before the registration of the webhook too', async () => {
    const receiver = await scene.receive(204);
    const sender = await scene.createSender();
    const early = await sender.send();
    const webhook = await sender.register(receiver.url);
    await recover(webhook, now(-DAY_MS));
    expect(await waitForDeliveries(webhook)).toMatchObject([
      { event_id: early.event_id, status: 'delivered' },
    ]);
  });

  test('that begins later takes nothing from a running one', async () => {
    const receiver = await scene.receive(204);
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await disable(webhook);
    const since = now();
    const early = await sender.sendMany(500);
    scene.clock.advance(60_000);
    const late = await sender.send();
    await enable(webhook);
    await recover(webhook, since);
    await recover(webhook, now(-30_000));
    await vi.waitFor(async () => {
      if ((await countDeliveries(webhook, 'delivered')) < 501) throw new Error('not yet');
    }, SOON);
    expect([...new Set(eventIdsAt(receiver))].sort()).toEqual([...early, late.event_id].sort());
  });

  test('is rejected for a future, too old or invalid time', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register((await scene.receive()).url);
    const refused: object[] = [
      { since: now(60_000) },
      { since: now(-7 * DAY_MS - 60_000) },
      { since: 'yesterday' },
      { since: '2026-02-30T00:00:00Z' },
      { since: scene.clock.now() },
      { since: null },
      { since: now(-1000), until: now() },
    ];
    for (const body of refused) {
      const answer = await webhook.send('POST', '/recover', body);
      expect([answer.status, codeOf(answer)], JSON.stringify(body)).toEqual([400, 'invalid_field']);
    }
    const nothing = await webhook.send('POST', '/recover', {});
    expect([nothing.status, codeOf(nothing)]).toEqual([400, 'missing_field']);
    expect((await recover(webhook, now(-7 * DAY_MS + 60_000))).events).toBe(0);
  });

  test('is rejected for a disabled webhook, and not found for an unknown or foreign one', async () => {
    const [sender, stranger] = [await scene.createSender(), await scene.createSender()];
    const webhook = await sender.register((await scene.receive()).url);
    const body = { since: now() };
    const theirs = await stranger.call('POST', `/webhooks/${webhook.webhookId}/recover`, body);
    const nobodys = await sender.call('POST', `/webhooks/whk_${'0'.repeat(26)}/recover`, body);
    expect([theirs.status, nobodys.status]).toEqual([404, 404]);
    await disable(webhook);
    const refused = await webhook.send('POST', '/recover', body);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'invalid_state_transition']);
    expect(await countRecoveries(webhook)).toBe(0);
  });
});

async function countDeliveries({ webhookId }: TestWebhook, status?: 'delivered'): Promise<number> {
  const query = scene
    .database()
    .db.selectFrom('deliveries')
    .select('delivery_id')
    .where('webhook_id', '=', webhookId);
  return (await (status ? query.where('status', '=', status) : query).execute()).length;
}

async function countRecoveries({ webhookId }: TestWebhook): Promise<number> {
  const query = scene.database().db.selectFrom('webhook_recoveries').select('webhook_id');
  return (await query.where('webhook_id', '=', webhookId).execute()).length;
}
