import type { Event, TestDelivery } from '@tps/contract';
import { codeOf } from '@tps/testing/device';
import type { TestWebhook } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { readAudit, usePushScene, waitForDeliveries } from './testing/push-scene.ts';

const scene = usePushScene();

async function startTest(webhook: TestWebhook): Promise<TestDelivery> {
  const answer = await webhook.send('POST', '/test', {});
  expect(answer.status, answer.text).toBe(202);
  return answer.body as TestDelivery;
}

describe('a test of a webhook', () => {
  test('arrives as an event marked as a test, and is in no feed', async () => {
    const receiver = await scene.receive();
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const started = await startTest(webhook);
    const [request] = await receiver.waitFor(1);
    const event = JSON.parse(request?.body ?? '') as Event;
    expect(event).toMatchObject({
      event_id: started.event_id,
      type: 'risk.event.created',
      tenant_id: sender.tenant.tenantId,
      metadata: { test: true },
    });
    expect(request?.headers['x-service-idempotency-key']).toBe(`${started.delivery_id}.1`);
    const [delivery] = await waitForDeliveries(webhook);
    expect(delivery).toMatchObject({
      delivery_id: started.delivery_id,
      event_id: started.event_id,
      kind: 'test',
      status: 'delivered',
      attempts: 1,
    });
    expect((await sender.call('GET', `/events/${started.event_id}`)).status).toBe(404);
    expect((await sender.call('GET', '/events')).body).toMatchObject({ data: [] });
    expect(await readAudit(scene, webhook.webhookId)).toMatchObject([
      { action: 'webhook.create' },
      {
        action: 'webhook.test',
        actor_type: 'token',
        outcome: 'success',
        fields: { delivery_id: started.delivery_id },
      },
    ]);
  });

  test.each([503, 410])(
    'with response %d ends after one attempt and does not affect the webhook',
    async (status) => {
      const receiver = await scene.receive(status);
      const sender = await scene.createSender();
      const webhook = await sender.register(receiver.url);
      const before = await webhook.read();
      await startTest(webhook);
      const [delivery] = await waitForDeliveries(webhook);
      expect(delivery).toMatchObject({
        kind: 'test',
        status: 'failed',
        attempts: 1,
        last_status: status,
        next_attempt_at: null,
      });
      expect(await webhook.deadLetters()).toEqual([]);
      const replay = await sender.call('POST', '/webhooks/dlq', { webhook_id: webhook.webhookId });
      expect(replay.status).toBe(404);
      expect((await sender.call('GET', '/status')).body).toMatchObject({ webhooks: { dead_letters: 0 } });
      expect(await webhook.read()).toEqual(before);
      expect(before).toMatchObject({ last_delivery_status: null, last_delivery_at: null, status: 'active' });
      expect((await sender.call('GET', '/incidents')).body).toMatchObject({ data: [] });
    },
  );

  test('is delivered regardless of the filter', async () => {
    const receiver = await scene.receive();
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url, { severity_filter: ['critical'] });
    await startTest(webhook);
    await receiver.waitFor(1);
  });

  test('is rejected for a disabled webhook, and not found for an unknown or foreign one', async () => {
    const receiver = await scene.receive();
    const [sender, stranger] = [await scene.createSender(), await scene.createSender()];
    const webhook = await sender.register(receiver.url);
    const path = `/webhooks/${webhook.webhookId}/test`;
    expect(await stranger.call('POST', path, {})).toMatchObject({ status: 404 });
    expect(await sender.call('POST', `/webhooks/whk_${'0'.repeat(26)}/test`, {})).toMatchObject({
      status: 404,
    });
    await webhook.send('PATCH', '', { status: 'disabled' });
    const refused = await sender.call('POST', path, {});
    expect([refused.status, codeOf(refused)]).toEqual([422, 'invalid_state_transition']);
    expect(await webhook.deliveries()).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  test('needs no body, and rejects one with members', async () => {
    const receiver = await scene.receive();
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    expect((await webhook.send('POST', '/test')).status).toBe(202);
    const refused = await webhook.send('POST', '/test', { url: receiver.url });
    expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_field']);
    await waitForDeliveries(webhook, 1);
  });
});
