import type { Notice } from '@tps/contract';
import { WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test, vi } from 'vitest';
import { SOON, usePushScene } from '../webhooks/deliveries/testing/push-scene.ts';

const scene = usePushScene(() => WEBHOOK_ENV);

/** Sends a notice to receivers that refuse it with these statuses, and accept it when it is sent again. */
async function sendRefused(statuses: readonly number[]) {
  const sender = await scene.createSender();
  for (const status of statuses) {
    const { url, respondWith } = await scene.receive();
    respondWith((_, index) => (index === 0 ? status : 200));
    const channel = { name: 'c', kind: 'webhook', url, secret: 'a-secret-of-thirty-two-characters' };
    expect((await sender.call('POST', '/notice-channels', channel)).status).toBe(201);
  }
  await sender.send({ severity: 'high', action_taken: 'block' });
  return async (attempts: number, state: Notice['state']) => {
    await vi.waitFor(async () => {
      const { data } = (await sender.call('GET', '/notices')).body as { data: Notice[] };
      const found = data.map((notice) => [notice.attempts, notice.state]);
      expect(found).toEqual(statuses.map(() => [attempts, state]));
    }, SOON);
  };
}

test('a notice that its receiver rejects is given up at once', async () => {
  const waitForAll = await sendRefused([302, 400, 410, 413, 422]);
  await waitForAll(1, 'failed');
});

test('a notice is sent again after a refusal that may be temporary', async () => {
  const waitForAll = await sendRefused([401, 403, 404, 405, 408, 429]);
  await waitForAll(1, 'waiting');
  scene.clock.advance(5_000);
  await waitForAll(2, 'sent');
});
