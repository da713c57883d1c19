import type { ProtectionStatus, Webhook } from '@tps/contract';
import { expect, test } from 'vitest';
import { readAudit, usePushScene, waitForDeadLetters, waitForDeliveries } from './testing/push-scene.ts';

/** On a shared store, a process is gone after 5 minutes of silence; on an embedded one, at once. */
const LONG_GONE_MS = 6 * 60_000;

const scene = usePushScene({ SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' });

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

  await scene.restart({ awayMs: LONG_GONE_MS });
  expect((await sender.call('GET', '/webhooks')).body).toMatchObject({ data: [] as Webhook[] });
  expect((await sender.call('GET', '/webhooks/dlq')).body).toMatchObject({ data: [] });
  const { db } = scene.database();
  for (const table of ['deliveries', 'webhook_states', 'webhooks'] as const) {
    expect(await db.selectFrom(table).select('webhook_id').execute(), table).toEqual([]);
  }
  const audit = await readAudit(scene, webhooks[0].webhookId);
  expect(audit.at(-1)).toMatchObject({ action: 'webhook.delete', actor_type: 'service', outcome: 'success' });

  // The events are unchanged, and a new webhook can receive them.
  expect((await sender.call('GET', `/events/${event.event_id}`)).status).toBe(200);
  const again = await sender.register(receiver.url);
  await again.send('POST', '/recover', { since: event.timestamp });
  expect(await waitForDeliveries(again)).toMatchObject([{ event_id: event.event_id, status: 'delivered' }]);
});
