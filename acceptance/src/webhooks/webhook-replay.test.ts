import { setTimeout as sleep } from 'node:timers/promises';
import type { DeadLetter, Webhook } from '@tps/contract';
import type { AgentlessDevice } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  eventIdOf,
  keyOf,
  newPushedEvents,
  readApi,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const EVENTS = 40;

const countDead = async (service: SpawnedService, device: AgentlessDevice) =>
  (await readApi<{ data: DeadLetter[] }>(service, device, '/webhooks/dlq?limit=100')).data.length;

async function startWithDeadLetters() {
  const started = await startPushService();
  const receiver = await receive({ respond: 503 });
  const { webhookId } = await registerWebhook(started.service, started.device, receiver);
  const events = newPushedEvents(started.device, EVENTS);
  await submitAll(started.service, started.device, events);
  await waitUntil(async () => (await countDead(started.service, started.device)) === EVENTS);
  return { ...started, receiver, webhookId, events };
}

// On a shared store the kills are those of a node, as below, and each costs half a minute of waiting for its claims.
test.runIf(IS_SQLITE)(
  'a receiver that comes back gets its dead letters although the service is killed twice',
  async () => {
    const { env, device, receiver, webhookId, events, ...first } = await startWithDeadLetters();
    let { service } = first;
    // While it waits for a probe.
    await service.kill();
    const down = receiver.requests.length;
    receiver.respondWith(async () => {
      await sleep(20);
      return 200;
    });
    service = await spawnService({ env });
    // During the replay.
    await waitUntil(() => receiver.requests.length >= down + 10);
    await service.kill();
    service = await spawnService({ env });
    await waitUntil(async () => {
      const { circuit } = await readApi<Webhook>(service, device, `/webhooks/${webhookId}`);
      return circuit === 'closed';
      // On PostgreSQL, the leases of a killed process end after 30 s.
    }, 120_000);
    expect(await countDead(service, device)).toBe(0);
    const arrived = receiver.requests.slice(down).map(eventIdOf);
    expect(new Set(arrived)).toEqual(new Set(events.map((event) => event.event_id)));
    const keys = receiver.requests.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    await service.stop();
  },
);

test.skipIf(IS_SQLITE)('two nodes replay each dead letter once', async () => {
  const { env, device, receiver, webhookId, events, service } = await startWithDeadLetters();
  const other = await spawnService({ env });
  // Probes under way still fail.
  await waitUntil(async () => {
    const { circuit } = await readApi<Webhook>(other, device, `/webhooks/${webhookId}`);
    return circuit === 'open';
  });
  const down = receiver.requests.length;
  receiver.respondWith(200);
  await waitUntil(async () => (await countDead(service, device)) === 0);
  const arrived = receiver.requests.slice(down).map(eventIdOf);
  expect(arrived.toSorted()).toEqual(events.map((event) => event.event_id).toSorted());
  await other.stop();
  await service.stop();
});
