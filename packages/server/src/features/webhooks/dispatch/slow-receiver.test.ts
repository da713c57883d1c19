import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SOON, usePushScene } from '../deliveries/testing/push-scene.ts';
import { LIMITS, SLOW_MS } from './webhook-queue.ts';

const scene = usePushScene();

test('a slow receiver gets up to eight deliveries at once', async () => {
  const held: (() => void)[] = [];
  let isHolding = true;
  const receiver = await scene.receive(async (_, index) => {
    // The first are slow enough to count as such. The others wait to be counted.
    if (index < 3) await delay(SLOW_MS + 50);
    else if (isHolding) await new Promise<void>((release) => held.push(release));
    return 200;
  });
  const sender = await scene.createSender();
  await sender.register(receiver.url);
  await sender.sendMany(40);
  await vi.waitFor(() => expect(held).toHaveLength(LIMITS.perWebhook), SOON);
  isHolding = false;
  for (const release of held) release();
  await receiver.waitFor(40);
});
