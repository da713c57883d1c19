import { setImmediate } from 'node:timers/promises';
import type { TestWebhook } from '@tps/testing/service';
import { expect, test, vi } from 'vitest';
import { SOON, usePushScene } from './testing/push-scene.ts';

const scene = usePushScene();

async function countDeliveries(
  { webhookId }: TestWebhook,
  statuses = ['pending', 'delivered'],
): Promise<number> {
  const query = scene.database().db.selectFrom('deliveries').select('delivery_id');
  const rows = await query.where('webhook_id', '=', webhookId).where('status', 'in', statuses).execute();
  return rows.length;
}

async function isRecovering({ webhookId }: TestWebhook): Promise<boolean> {
  const query = scene.database().db.selectFrom('webhook_recoveries').select('webhook_id');
  return (await query.where('webhook_id', '=', webhookId).execute()).length > 0;
}

async function recover(webhook: TestWebhook, since: string): Promise<void> {
  const answer = await webhook.send('POST', '/recover', { since });
  expect(answer).toMatchObject({ status: 202, body: { events: 2500 } });
}

test('a recovery of many events runs in steps, survives a restart, and repeats nothing', async () => {
  const receiver = await scene.receive(204);
  const sender = await scene.createSender();
  const webhook = await sender.register(receiver.url);
  await webhook.send('PATCH', '', { status: 'disabled' });
  const since = new Date(scene.clock.now()).toISOString();
  const missed: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await sender.sendMany(400, { action_taken: 'allow' });
    missed.push(...(await sender.sendMany(100)));
  }
  await webhook.send('PATCH', '', { status: 'active' });
  await recover(webhook, since);
  let made = 0;
  while (made === 0) {
    await setImmediate();
    made = await countDeliveries(webhook);
  }
  // Interrupted: not all missed events are on their way.
  expect(made).toBeLessThan(missed.length);
  await scene.restart();
  await vi.waitFor(async () => {
    expect(await countDeliveries(webhook, ['delivered'])).toBe(missed.length);
    expect(await isRecovering(webhook)).toBe(false);
  }, SOON);
  expect(await countDeliveries(webhook)).toBe(missed.length);
  const arrived = receiver.requests.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
  expect([...new Set(arrived)].sort()).toEqual([...missed].sort());

  // Run again, it has nothing left to do.
  await recover(webhook, since);
  await vi.waitFor(async () => expect(await isRecovering(webhook)).toBe(false), SOON);
  expect(await countDeliveries(webhook, ['delivered'])).toBe(missed.length);
  expect(receiver.requests).toHaveLength(arrived.length);
});
