import type { Notice, NoticeChannel } from '@tps/contract';
import { createEvent } from '@tps/simulator';
import { spawnService } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { readApi, receive, startPushService, submitAll } from '../webhooks/push-service.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const SECRET = 'a-secret-of-thirty-two-characters';

async function addChannel(baseUrl: string, credential: string, url: string): Promise<void> {
  const response = await fetch(`${baseUrl}/notice-channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'c', kind: 'webhook', url, secret: SECRET }),
  });
  const channel = (await response.json()) as NoticeChannel;
  expect(response.status, JSON.stringify(channel)).toBe(201);
}

// On PostgreSQL the lease of a killed process ends after a minute.
test.runIf(IS_SQLITE)(
  'a kill while notices are being sent loses none, and none has a second id',
  async () => {
    const { env, service, device } = await startPushService();
    const reached = await receive();
    const hanging = await receive({ respond: 'hang' });
    for (const { url } of [reached, hanging]) await addChannel(service.baseUrl, device.credential, url);
    const event = createEvent(device, { action_taken: 'block', severity: 'critical' });
    await submitAll(service, device, [event]);
    // One notice has arrived, and the other one is on its way.
    await Promise.all([reached.waitFor(1), hanging.waitFor(1)]);
    await service.kill();

    hanging.respondWith(200);
    const next = await spawnService({ env });
    const read = () => readApi<{ data: Notice[] }>(next, device, '/notices');
    await waitUntil(async () => (await read()).data.every(({ state }) => state === 'sent'));
    expect((await read()).data).toHaveLength(2);
    expect(hanging.requests).toHaveLength(2);
    for (const { requests } of [reached, hanging]) {
      expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    }
    expect((await next.stop()).code).toBe(0);
  },
);
