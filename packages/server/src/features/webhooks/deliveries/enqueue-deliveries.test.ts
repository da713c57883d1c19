import type { Event } from '@tps/contract';
import type { WebhookReceiver } from '@tps/testing/receiver';
import type { TestWebhook } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Sender, usePushScene, waitForDeliveries } from './testing/push-scene.ts';

let receiver: WebhookReceiver;

const scene = usePushScene();

beforeAll(async () => {
  receiver = await scene.receive();
});

/** Deliveries are written with their event: an event without one at the time of the response never gets one. */
async function eventIdsOf(webhook: TestWebhook): Promise<string[]> {
  return (await webhook.deliveries()).map((delivery) => delivery.event_id).reverse();
}

async function sendOfEach(sender: Sender, severities: Event['severity'][]): Promise<string[]> {
  const ids: string[] = [];
  for (const severity of severities) ids.push((await sender.send({ severity })).event_id);
  return ids;
}

describe('the deliveries of an accepted event', () => {
  test('go to each active webhook of its tenant, and to no other', async () => {
    const sender = await scene.createSender();
    const stranger = await scene.createSender();
    const webhooks = [await sender.register(receiver.url), await sender.register(receiver.url)];
    const theirs = await stranger.register(receiver.url);
    const event = await sender.send();
    for (const webhook of webhooks) {
      const [delivery] = await waitForDeliveries(webhook);
      expect(delivery).toMatchObject({ event_id: event.event_id, kind: 'event', status: 'delivered' });
    }
    expect(await theirs.deliveries()).toEqual([]);
  });

  test('match the severity filter of the webhook; without a filter, all', async () => {
    const sender = await scene.createSender();
    const all = await sender.register(receiver.url);
    const some = await sender.register(receiver.url, { severity_filter: ['low', 'critical'] });
    const ids = await sendOfEach(sender, ['low', 'medium', 'high', 'critical']);
    expect(await eventIdsOf(all)).toEqual(ids);
    expect(await eventIdsOf(some)).toEqual([ids[0], ids[3]]);
    await some.send('PATCH', '', { severity_filter: ['medium'] });
    const [later] = await sendOfEach(sender, ['medium']);
    await some.send('PATCH', '', { severity_filter: null });
    const [last] = await sendOfEach(sender, ['high']);
    expect(await eventIdsOf(some)).toEqual([ids[0], ids[3], later, last]);
  });

  test('exist for events that warn or block, not for those that allow', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await sender.send({ action_taken: 'allow', severity: 'critical' });
    const warned = await sender.send({ action_taken: 'warn' });
    const blocked = await sender.send({ action_taken: 'block' });
    expect(await eventIdsOf(webhook)).toEqual([warned.event_id, blocked.event_id]);
  });

  test('exist for a correction that warns or blocks, not for one to allow', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const allowed = await sender.send({ action_taken: 'allow' });
    const corrects_event_id = allowed.event_id;
    const blocked = await sender.send({
      corrects_event_id,
      correction_reason: 'missed',
      action_taken: 'block',
    });
    await sender.send({ corrects_event_id, correction_reason: 'mistaken', action_taken: 'allow' });
    expect(await eventIdsOf(webhook)).toEqual([blocked.event_id]);
    await receiver.waitFor(1);
    const [delivery] = await waitForDeliveries(webhook);
    expect(delivery?.event_id).toBe(blocked.event_id);
    const sent = receiver.requests.map(({ body }) => JSON.parse(body) as Event);
    expect(sent.find(({ event_id }) => event_id === blocked.event_id)).toMatchObject({ corrects_event_id });
  });

  test('exist once, even if the event is sent repeatedly', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const event = await sender.send();
    await waitForDeliveries(webhook);
    await sender.send({ event_id: event.event_id, timestamp: event.timestamp });
    expect(await eventIdsOf(webhook)).toEqual([event.event_id]);
  });

  test('are in the order of a batch, one per event', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    const ids = await sender.sendMany(50);
    expect(await eventIdsOf(webhook)).toEqual(ids);
    const deliveries = await waitForDeliveries(webhook, 50);
    expect(deliveries.every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true);
  });

  test('do not exist for a webhook that is disabled or registered later', async () => {
    const sender = await scene.createSender();
    const webhook = await sender.register(receiver.url);
    await webhook.send('PATCH', '', { status: 'disabled' });
    await sender.send();
    await webhook.send('PATCH', '', { status: 'active' });
    const later = await sender.register(receiver.url);
    expect(await eventIdsOf(webhook)).toEqual([]);
    const event = await sender.send();
    expect(await eventIdsOf(webhook)).toEqual([event.event_id]);
    expect(await eventIdsOf(later)).toEqual([event.event_id]);
  });
});
