import type { DeadLetter, Statistics } from '@tps/contract';
import { expect, test, vi } from 'vitest';
import {
  type Sender,
  SOON,
  usePushScene,
  waitForDeadLetters,
} from '../webhooks/deliveries/testing/push-scene.ts';

const scene = usePushScene();

async function countsOf(sender: Sender): Promise<Record<string, number | null>> {
  const { body } = await sender.call(
    'GET',
    '/statistics?measures=deliveries_delivered,deliveries_failed,deliveries_dead',
  );
  const totals = (body as Statistics).series.map(({ measure, total }) => [
    measure.replace('deliveries_', ''),
    total,
  ]);
  return Object.fromEntries(totals);
}

const waitForCounts = (sender: Sender, counts: object) =>
  vi.waitFor(async () => expect(await countsOf(sender)).toEqual(counts), SOON);

test('attempts count as delivered or failed, and a dead letter once, also when it is replayed', async () => {
  const receiver = await scene.receive(410);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await sender.send();
  const [entry] = await waitForDeadLetters(webhook);
  await waitForCounts(sender, { delivered: 0, failed: 1, dead: 1 });

  receiver.respondWith(204);
  await webhook.send('PATCH', '', { status: 'active' });
  await sender.call('POST', '/webhooks/dlq', { entry_id: (entry as DeadLetter).entry_id });
  await waitForCounts(sender, { delivered: 1, failed: 1, dead: 1 });
});

test('test deliveries do not count', async () => {
  const receiver = await scene.receive(204);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await webhook.send('POST', '/test');
  await sender.send();
  await receiver.waitFor(2);
  await waitForCounts(sender, { delivered: 1, failed: 0, dead: 0 });
});
