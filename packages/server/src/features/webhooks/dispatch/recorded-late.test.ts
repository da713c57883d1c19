import type { DeadLetter } from '@tps/contract';
import { expect, test, vi } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { toSigningSecret } from '../../../platform/outbound/sign-delivery.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as deliveryStore from '../deliveries/delivery-store.ts';
import { SOON, usePushScene, waitForDeadLetters } from '../deliveries/testing/push-scene.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import { release } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { recordAttempts } from './record-attempts.ts';

const scene = usePushScene();

/** A delivery as the dispatcher holds it after claiming it. */
async function claimedOf(deliveryId: string): Promise<ClaimedDelivery> {
  const row = await scene
    .database()
    .db.selectFrom('deliveries')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return {
    tenantId: row.tenant_id as TenantId,
    webhookId: row.webhook_id,
    deliveryId,
    eventId: row.event_id,
    isTest: false,
    body: Buffer.from('{}'),
    claims: row.claims,
    attempts: 0,
    leaseEndsAtMs: 0,
    url: 'https://example.com/',
    signing: { secret: toSigningSecret(new Secret('unused')), previous: undefined },
    replayedSinceMs: null,
    isCircuitOpen: false,
    lastStatus: null,
  };
}

function attemptAt(delivery: ClaimedDelivery, status: number): DeliveryAttempt {
  return {
    delivery,
    outcome: { kind: 'answered', status, retryAfter: undefined, excerpt: '', durationMs: 1 },
    nextStep:
      status === 204
        ? { kind: 'delivered' }
        : {
            kind: 'failed',
            error: `The receiver responded with ${status}`,
            isGone: false,
            isTransient: false,
          },
    atMs: scene.clock.now(),
  };
}

async function failOnce() {
  const receiver = await scene.receive(404);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await sender.send();
  const [entry] = await waitForDeadLetters(webhook);
  return { receiver, sender, webhook, entry: entry as DeadLetter };
}

test('an attempt recorded again after its delivery was restarted changes and counts nothing', async () => {
  const { entry } = await failOnce();
  const before = await claimedOf(entry.delivery_id);
  const { database } = scene.service.service;
  const { tenantId, webhookId } = before;
  await database.transaction(async (tx) => {
    const deliveryIds = [entry.delivery_id];
    await deliveryStore.restartFailed(tx, tenantId, { webhookId, deliveryIds, nowMs: scene.clock.now() });
    await recordAttempts(tx, [attemptAt(before, 404)]);
    const counted = await tx.db
      .selectFrom('delivery_statistics')
      .select('failed')
      .where('tenant_id', '=', tenantId)
      .execute();
    expect(counted).toEqual([{ failed: 1 }]);
    const row = await deliveryStore.find(tx, tenantId, { webhookId, deliveryId: entry.delivery_id });
    expect(row).toMatchObject({ status: 'pending', dueAtMs: scene.clock.now() });
  });
});

test('an attempt recorded after its webhook was removed leaves nothing of the webhook', async () => {
  const { webhook, entry } = await failOnce();
  const late = attemptAt(await claimedOf(entry.delivery_id), 404);
  expect((await webhook.send('DELETE')).status).toBe(204);
  const { database } = scene.service.service;
  await database.transaction((tx) => recordAttempts(tx, [late]));
  const states = await scene
    .database()
    .db.selectFrom('webhook_states')
    .selectAll()
    .where('webhook_id', '=', webhook.webhookId)
    .execute();
  expect(states).toEqual([]);
});

test('a dead letter acknowledged during its replay does not return with the next retry', async () => {
  const { receiver, sender, webhook, entry } = await failOnce();
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  receiver.respondWith(async () => {
    await held;
    return 503;
  });
  expect((await sender.call('POST', '/webhooks/dlq', { entry_id: entry.entry_id })).status).toBe(202);
  await receiver.waitFor(2);
  expect((await sender.call('DELETE', `/webhooks/dlq?entry_id=${entry.entry_id}`)).status).toBe(204);
  answer();
  await vi.waitFor(async () => {
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_status: 503 });
  }, SOON);
  expect(await webhook.deadLetters()).toEqual([]);
});

test('removing a webhook does not deadlock with a round in another lock order', async () => {
  const receiver = await scene.receive('hang');
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await sender.send();
  await sender.send();
  await receiver.waitFor(1);
  const [newest, oldest] = await webhook.deliveries();
  const [first, second] = [
    await claimedOf(oldest?.delivery_id ?? ''),
    await claimedOf(newest?.delivery_id ?? ''),
  ];
  let reachMiddle: () => void = () => undefined;
  const middle = new Promise<void>((resolve) => {
    reachMiddle = resolve;
  });
  const round = scene.service.service.database.transaction(
    async (tx) => {
      await recordAttempts(tx, [attemptAt(second, 204)]);
      reachMiddle();
      // On SQLite the removal waits for all of this; on PostgreSQL it may reach the row that is released next.
      if (tx.engine === 'postgres') await new Promise((resolve) => setTimeout(resolve, 300));
      await release(tx, first, scene.clock.now());
    },
    { idempotent: true },
  );
  await middle;
  expect((await webhook.send('DELETE')).status).toBe(204);
  await round;
});
