import type { DeadLetter, Event, ProtectionStatus, Webhook } from '@tps/contract';
import type { AgentlessDevice } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  countUnsettled,
  endHolds,
  findMissing,
  newPushedEvents,
  readApi,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const NO_KEY = { SERVICE_SECRET_KEY_B64: '' };
const OTHER_KEY = { SERVICE_SECRET_KEY_B64: Buffer.alloc(32, 9).toString('base64') };

/** Waits until a webhook is disabled, and expects its events among the dead letters, and a reason in the status. */
async function expectLost(
  service: SpawnedService,
  device: AgentlessDevice,
  { webhookId, events }: { webhookId: string; events: readonly Event[] },
): Promise<void> {
  const read = () => readApi<Webhook>(service, device, `/webhooks/${webhookId}`);
  await waitUntil(async () => (await read()).status === 'disabled');
  expect((await read()).disabled_reason).toBe('secret_lost');
  const readDead = () => readApi<{ data: DeadLetter[] }>(service, device, '/webhooks/dlq?limit=100');
  await waitUntil(async () => (await readDead()).data.length === events.length);
  const { data } = await readDead();
  expect(new Set(data.map(({ event_id }) => event_id))).toEqual(
    new Set(events.map((event) => event.event_id)),
  );
  const status = await readApi<ProtectionStatus>(service, device, '/status');
  expect(status.status).toBe('degraded');
  expect(status.reasons).toContain('1 webhook disabled: the secret is lost and must be replaced');
}

test.each([
  ['kill -9 without a master key', NO_KEY, NO_KEY, 'kill'],
  ['a stop without a master key', NO_KEY, NO_KEY, 'stop'],
  ['a restart with another master key', {}, OTHER_KEY, 'kill'],
] as const)('after %s, a webhook is disabled and nothing pending is lost', async (_, before, after, end) => {
  const { store, env, service, device } = await startPushService(before);
  const receiver = await receive({ respond: 'hang' });
  const { webhookId } = await registerWebhook(service, device, receiver);
  const events = newPushedEvents(device, 20);
  await submitAll(service, device, events);
  await receiver.waitFor(1);
  await service[end]();
  // On a shared store, a killed process counts as gone after 30 s. A stop says so at once.
  if (end === 'kill' && !IS_SQLITE) await endHolds(store.url);

  const next = await spawnService({ env: { ...env, ...after } });
  await expectLost(next, device, { webhookId, events });
  // New events are accepted, and wait for no one.
  await submitAll(next, device, newPushedEvents(device, 1));
  await expectLost(next, device, { webhookId, events });
  await next.stop();
  if (after === NO_KEY) return;

  // The right key enables the webhook again, and the service delivers what waits.
  receiver.respondWith(200);
  if (!IS_SQLITE) await endHolds(store.url);
  const right = await spawnService({ env });
  await waitUntil(() => findMissing(events, receiver).length === 0);
  expect(await readApi<Webhook>(right, device, `/webhooks/${webhookId}`)).toMatchObject({ status: 'active' });
  await right.stop();
});

test.skipIf(IS_SQLITE)(
  'of two nodes without a master key, the one with the secret delivers for both',
  async () => {
    const { store, env, service, device } = await startPushService(NO_KEY);
    const other = await spawnService({ env });
    const receiver = await receive();
    const { webhookId } = await registerWebhook(service, device, receiver);
    const events = newPushedEvents(device, 5);
    await submitAll(other, device, events);
    await waitUntil(() => findMissing(events, receiver).length === 0);
    expect(await readApi<Webhook>(other, device, `/webhooks/${webhookId}`)).toMatchObject({
      status: 'active',
    });

    // What a killed process has not recorded would be repeated.
    await waitUntil(async () => (await countUnsettled(store.url)) === 0);
    await service.kill();
    const late = newPushedEvents(device, 3);
    await submitAll(other, device, late);
    await endHolds(store.url);
    await expectLost(other, device, { webhookId, events: late });
    expect(receiver.requests).toHaveLength(events.length);
    await other.stop();
  },
);
