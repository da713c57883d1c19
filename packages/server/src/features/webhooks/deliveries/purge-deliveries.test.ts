import { ID_PREFIXES } from '@tps/contract';
import { expect, test } from 'vitest';
import { createId } from '../../../platform/identifiers.ts';
import * as deliveryStore from './delivery-store.ts';
import { purgeDeliveries } from './purge-deliveries.ts';
import { listExpired } from './queue-store.ts';
import {
  DAY_MS,
  type Sender,
  usePushScene,
  waitForDeadLetters,
  waitForDeliveries,
} from './testing/push-scene.ts';

const scene = usePushScene();

/** What the service does once a minute. */
const purge = ({ tenant }: Sender) =>
  purgeDeliveries(scene.service.service.database, tenant.tenantId, scene.clock.now());

test('deliveries, dead letters and waiting deliveries are kept for 7 days', async () => {
  const receiver = await scene.receive();
  const sender = await scene.createSender();
  const fine = await sender.register(receiver.url);
  const refused = await sender.register((await scene.receive(404)).url);
  const stopped = await sender.register((await scene.receive(503)).url);
  await sender.send();
  await waitForDeliveries(fine);
  await waitForDeadLetters(refused);
  await stopped.send('PATCH', '', { status: 'disabled' });
  const counts = async () => {
    const lists = [fine.deliveries(), refused.deliveries(), refused.deadLetters(), stopped.deliveries()];
    return (await Promise.all(lists)).map(({ length }) => length);
  };
  scene.clock.advance(7 * DAY_MS - 10_000);
  await purge(sender);
  expect(await counts()).toEqual([1, 1, 1, 1]);
  await sender.send();
  await waitForDeliveries(fine, 2);
  await waitForDeadLetters(refused, 2);
  scene.clock.advance(20_000);
  await purge(sender);
  // Yesterday's stay.
  expect(await counts()).toEqual([1, 1, 1, 0]);
  scene.clock.advance(7 * DAY_MS);
  await purge(sender);
  expect(await counts()).toEqual([0, 0, 0, 0]);
});

test('a dead letter whose replay has failed is kept for 7 days after that', async () => {
  const sender = await scene.createSender();
  const webhook = await sender.register((await scene.receive(404)).url);
  await sender.send();
  const [entry] = await waitForDeadLetters(webhook);
  scene.clock.advance(6 * DAY_MS);
  await sender.call('POST', '/webhooks/dlq', { entry_id: entry?.entry_id });
  await waitForDeliveries(webhook);
  scene.clock.advance(2 * DAY_MS);
  await purge(sender);
  expect(await webhook.deadLetters()).toHaveLength(1);
  scene.clock.advance(5 * DAY_MS + 1000);
  await purge(sender);
  expect(await webhook.deadLetters()).toEqual([]);
  expect(await webhook.deliveries()).toEqual([]);
});

test('deletes a thousand rows at a time, of one webhook of one tenant', async () => {
  const { database } = scene.service.service;
  const [sender, other] = [await scene.createSender(), await scene.createSender()];
  const { url } = await scene.receive();
  const webhook = await sender.register(url);
  const theirs = await other.register(url);
  await webhook.send('PATCH', '', { status: 'disabled' });
  await theirs.send('PATCH', '', { status: 'disabled' });
  const add = (one: Sender, webhookId: string, count: number) =>
    database.transaction((tx) => {
      const nowMs = scene.clock.now();
      const deliveries = Array.from({ length: count }, () => {
        const deliveryId = createId(ID_PREFIXES.delivery, nowMs);
        return { webhookId, deliveryId, eventId: 'evt_some', testBody: null };
      });
      return deliveryStore.createMany(tx, one.tenant.tenantId, { deliveries, nowMs });
    });
  await add(sender, webhook.webhookId, 1200);
  await add(sender, webhook.webhookId, 1000);
  await add(other, theirs.webhookId, 1);
  scene.clock.advance(7 * DAY_MS + 1000);
  await add(sender, webhook.webhookId, 5);
  const { tenantId } = sender.tenant;
  const expired = (withPending = true) =>
    listExpired(database.read, tenantId, {
      webhookId: webhook.webhookId,
      nowMs: scene.clock.now(),
      withPending,
    });
  expect(await expired()).toHaveLength(1000);
  // As for an active webhook, whose waiting deliveries will still be sent.
  expect(await expired(false)).toEqual([]);
  await purge(sender);
  expect(await expired()).toEqual([]);
  expect(await webhook.deliveries()).toHaveLength(5);
  expect(await theirs.deliveries()).toHaveLength(1);
});
