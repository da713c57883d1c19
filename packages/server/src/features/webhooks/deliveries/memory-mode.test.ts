import type { ProtectionStatus } from '@tps/contract';
import { describe, expect, test, vi } from 'vitest';
import {
  DAY_MS,
  readAudit,
  SOON,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const IN_MEMORY = { SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };
const scene = usePushScene(() => IN_MEMORY);

test('without a master key webhooks work, with a warning, until the process ends', async () => {
  const warnings = scene.service
    .log()
    .split('\n')
    .filter((line) => line.includes('SERVICE_SECRET_KEY_B64 is not set'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('"level":"warn"');

  const receiver = await scene.receive();
  const refusing = await scene.receive(404);
  const sender = await scene.createSender();
  const webhooks = [await sender.register(receiver.url), await sender.register(refusing.url)] as const;
  const event = await sender.send();
  expect(await waitForDeliveries(webhooks[0])).toMatchObject([{ status: 'delivered' }]);
  await waitForDeadLetters(webhooks[1]);
  const status = (await sender.call('GET', '/status')).body as ProtectionStatus;
  expect(status.webhooks).toMatchObject({ registered: 2, persistence: 'memory' });

  await scene.restart();
  const lost = { status: 'disabled', disabled_reason: 'secret_lost' };
  expect((await sender.call('GET', '/webhooks')).body).toMatchObject({ data: [lost, lost] });
  expect(await webhooks[1].deadLetters()).toMatchObject([{ event_id: event.event_id, last_status: 404 }]);
  const after = (await sender.call('GET', '/status')).body as ProtectionStatus;
  expect(after).toMatchObject({ status: 'degraded', webhooks: { failing: 2 } });
  expect(after.reasons).toContain('2 webhooks disabled: the secret is lost and must be replaced');
  const audit = await readAudit(scene, webhooks[0].webhookId);
  expect(audit.at(-1)).toMatchObject({
    action: 'webhook.disable',
    actor_type: 'service',
    fields: { disabled_reason: 'secret_lost' },
  });

  // The events are unchanged, and a new webhook can receive them.
  expect((await sender.call('GET', `/events/${event.event_id}`)).status).toBe(200);
  const again = await sender.register(receiver.url);
  await again.send('POST', '/recover', { since: event.timestamp });
  expect(await waitForDeliveries(again)).toMatchObject([{ event_id: event.event_id, status: 'delivered' }]);
});

describe('a webhook whose secret is lost', () => {
  const scene = usePushScene(() => IN_MEMORY);

  test('is enabled by a new secret only, and removed after 7 days', async () => {
    const receiver = await scene.receive();
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const forgotten = await sender.register(receiver.url);
    await scene.restart();
    const enabled = await webhook.send('PATCH', '', { status: 'active' });
    expect(enabled).toMatchObject({ status: 422, body: { error: { code: 'invalid_state_transition' } } });
    const rotated = await webhook.send('POST', '/rotate-secret', {
      secret: 'another-secret-for-this-webhook',
    });
    expect(rotated.body).toMatchObject({ status: 'active', disabled_reason: null });
    const event = await sender.send();
    expect(await waitForDeliveries(webhook)).toMatchObject([
      { event_id: event.event_id, status: 'delivered' },
    ]);
    const audit = await readAudit(scene, webhook.webhookId);
    expect(new Set(audit.map(({ action }) => action))).toEqual(
      new Set(['webhook.create', 'webhook.disable', 'webhook.rotate_secret', 'webhook.enable']),
    );

    scene.clock.advance(7 * DAY_MS + 1000);
    await vi.waitFor(async () => expect((await forgotten.send('GET')).status).toBe(404), SOON);
    expect((await readAudit(scene, forgotten.webhookId)).at(-1)?.action).toBe('webhook.delete');
  });
});
