import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '@tps/contract';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import type { WebhookReceiver } from '@tps/testing/receiver';
import { IS_SOAK, repetitions } from '@tps/testing/soak';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import {
  countUnsettled,
  eventIdOf,
  findMissing,
  findRepeated,
  keyOf,
  newGate,
  newPushedEvents,
  readLeases,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const EVENTS = 500;
const BATCH = 25;
/** The limits of a process per webhook: open requests, and claims to follow. */
const CLAIMED_PER_WEBHOOK = 128;
/** Requests that have arrived when the service is killed: early enough that unclaimed deliveries are left. */
const KILLED_AFTER = [20, 50, 80, 110].slice(0, repetitions({ short: 1, soak: 4 }));
/** Sends each batch to the running process, repeatedly, until it is acknowledged. */
async function submitThroughCrashes(
  events: readonly Event[],
  submit: (batch: readonly Event[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH);
    for (let isAcknowledged = false; !isAcknowledged; ) {
      isAcknowledged = await submit(batch).then(
        () => true,
        () => sleep(20, false),
      );
    }
  }
}

function expectRepeatsToTellThemselves(receiver: WebhookReceiver) {
  const { requests } = receiver;
  expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
  for (const repeats of findRepeated(requests)) {
    expect(new Set(repeats.map(({ body }) => body)).size).toBe(1);
    expect(new Set(repeats.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(repeats.map(eventIdOf)),
    );
  }
}

// On PostgreSQL the leases of a killed process end after 30 s.
test.runIf(IS_SQLITE || IS_SOAK)(
  `${KILLED_AFTER.length} kills amid ${EVENTS} deliveries lose none, repeats have new keys`,
  async () => {
    const { store, env, device, ...first } = await startPushService();
    let { service } = first;
    let held = Promise.resolve();
    const receiver = await receive({ respond: () => held.then(() => sleep(15, 200)) });
    await registerWebhook(service, device, receiver);
    const events = newPushedEvents(device, EVENTS);
    const submitting = submitThroughCrashes(events, (batch) => submitAll(service, device, batch));

    for (const count of KILLED_AFTER) {
      await waitUntil(() => receiver.requests.length >= count);
      await sleep(Math.random() * 30);
      const killed = newGate();
      held = killed.opened;
      const { length } = receiver.requests;
      await waitUntil(() => receiver.requests.length > length);
      await service.kill();
      killed.open();
      service = await spawnService({ env });
    }
    await submitting;
    await waitUntil(async () => (await countUnsettled(store.url)) === 0);

    expect(findMissing(events, receiver)).toEqual([]);
    expectRepeatsToTellThemselves(receiver);
    const repeated = receiver.requests.length - EVENTS;
    // The kills hit open requests, and only claimed deliveries are repeated.
    expect(repeated).toBeGreaterThan(0);
    expect(repeated).toBeLessThanOrEqual(KILLED_AFTER.length * CLAIMED_PER_WEBHOOK);
    expect((await service.stop()).code).toBe(0);
  },
);

/** A service that takes longer than 9.5 s to stop ends itself with another exit code than 0. */
async function expectStopInTime(service: SpawnedService, whileStopping = () => {}): Promise<void> {
  const stopped = service.stop();
  await waitUntil(() => service.output().includes('"msg":"service stopping"'));
  whileStopping();
  expect((await stopped).code).toBe(0);
}

test('SIGTERM releases all leases: the next process resumes, and no event arrives twice', async () => {
  const { store, env, service, device } = await startPushService();
  const stopping = newGate();
  const respond = async (_: unknown, index: number) => {
    if (index >= 20) await stopping.opened;
    return sleep(40, 200);
  };
  const receiver = await receive({ respond });
  await registerWebhook(service, device, receiver);
  const events = newPushedEvents(device, 200);
  await submitAll(service, device, events);
  await waitUntil(() => receiver.requests.length > 20);
  await expectStopInTime(service, stopping.open);
  expect(findMissing(events, receiver).length).toBeGreaterThan(0);
  expect(await readLeases(store.url)).toEqual(new Map());

  const next = await spawnService({ env });
  await waitUntil(() => findMissing(events, receiver).length === 0);
  expect(findRepeated(receiver.requests)).toEqual([]);
  expect((await next.stop()).code).toBe(0);
});

test('SIGTERM aborts requests to hanging receivers, and the next process repeats them', async () => {
  const { store, env, service, device } = await startPushService();
  const receiver = await receive({ respond: 'hang' });
  await registerWebhook(service, device, receiver);
  const events = newPushedEvents(device, 5);
  await submitAll(service, device, events);
  await receiver.waitFor(1);
  await expectStopInTime(service);
  expect(await readLeases(store.url)).toEqual(new Map());

  receiver.respondWith(200);
  const next = await spawnService({ env });
  await waitUntil(() => findMissing(events, receiver).length === 0 && receiver.requests.length === 6);
  // The aborted request was repeated under a new claim.
  expect(findRepeated(receiver.requests).map((repeats) => repeats.length)).toEqual([2]);
  expectRepeatsToTellThemselves(receiver);
  expect((await next.stop()).code).toBe(0);
});
