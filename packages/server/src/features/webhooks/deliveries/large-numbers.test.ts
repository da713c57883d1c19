import { ID_PREFIXES } from '@tps/contract';
import { expect, test, vi } from 'vitest';
import { createId } from '../../../platform/identifiers.ts';
import * as deliveryStore from './delivery-store.ts';
import { purgeDeliveries } from './purge-deliveries.ts';
import { SOON, usePushScene } from './testing/push-scene.ts';

const scene = usePushScene();

test('a batch with too many deliveries for one transaction reaches every webhook in full', async () => {
  const receiver = await scene.receive();
  const sender = await scene.createSender();
  const webhooks = await Promise.all(Array.from({ length: 21 }, () => sender.register(receiver.url)));
  const eventIds = await sender.sendMany(100);
  const keys = () => new Set(receiver.requests.map(({ headers }) => headers['x-service-idempotency-key']));
  await vi.waitFor(() => expect(keys().size).toBe(2100), SOON);
  for (const webhook of webhooks) {
    const ids = (await webhook.deliveries()).map(({ event_id }) => event_id);
    expect(ids.sort()).toEqual([...eventIds].sort());
  }
  const stretches = await scene.database().db.selectFrom('webhook_recoveries').selectAll().execute();
  expect(stretches).toEqual([]);
});

test('very many deliveries of a removed webhook are hidden at once and purged later', async () => {
  const sender = await scene.createSender();
  const webhook = await sender.register((await scene.receive()).url);
  await webhook.send('PATCH', '', { status: 'disabled' });
  const { database } = scene.service.service;
  const { tenantId } = sender.tenant;
  const { webhookId } = webhook;
  const event = await sender.send();
  const nowMs = scene.clock.now();
  const deliveries = Array.from({ length: 5001 }, () => {
    const deliveryId = createId(ID_PREFIXES.delivery, nowMs);
    return { webhookId, deliveryId, eventId: event.event_id, testBody: null };
  });
  await database.transaction(async (tx) => {
    await deliveryStore.createMany(tx, tenantId, { deliveries, nowMs });
    await tx.db
      .updateTable('deliveries')
      .set({ status: 'failed', dead_at: nowMs, due_at: null })
      .where('webhook_id', '=', webhookId)
      .execute();
  });
  expect((await webhook.send('DELETE')).status).toBe(204);
  const left = () =>
    scene
      .database()
      .db.selectFrom('deliveries')
      .select('delivery_id')
      .where('webhook_id', '=', webhookId)
      .execute();
  expect(await left()).toHaveLength(1);
  expect((await sender.call('GET', '/webhooks/dlq')).body).toMatchObject({ data: [] });
  // A running attempt has written this after the webhook was removed.
  const lost = { tenant_id: tenantId, webhook_id: webhookId, last_status: 'failed', last_error: null };
  await database.transaction((tx) =>
    tx.insertMany('webhook_states', [{ ...lost, last_at: nowMs, last_attempts: 1, failing_since: nowMs }]),
  );
  await purgeDeliveries(database, tenantId, nowMs);
  expect(await left()).toEqual([]);
  const states = await scene.database().db.selectFrom('webhook_states').select('webhook_id').execute();
  expect(states).not.toContainEqual({ webhook_id: webhookId });
});
