import { setTimeout as sleep } from 'node:timers/promises';
import { spawnService } from '@tps/testing/process';
import type { Respond, WebhookReceiver } from '@tps/testing/receiver';
import { IS_SOAK } from '@tps/testing/soak';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import {
  countUnsettled,
  deliveryIdOf,
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
/** Requests answered before that: a node sends one at a time to a receiver that it does not know yet. */
const HELD_FROM = 100;
/** The time a receiver has for its answer. A lease that ended before would cause repeats. */
const ANSWER_MS = 10_000;
/** The limit of concurrent requests of one node to one webhook. */
const PER_NODE = 8;

/** Starts two nodes and a receiver that holds its answers until it has requests of both and is released. */
async function startPair() {
  const { store, env, service: a, device } = await startPushService();
  const b = await spawnService({ env });
  const gate = newGate();
  let held = 0;
  const respond: Respond = async (_, index) => {
    if (index < HELD_FROM) return sleep(10, 200);
    held += 1;
    await gate.opened;
    return sleep(10, 200);
  };
  const receiver = await receive({ respond });
  await registerWebhook(a, device, receiver);
  const events = newPushedEvents(device, EVENTS);
  for (const [index, node] of [a, b].entries()) {
    await submitAll(node, device, events.slice((index * EVENTS) / 2, ((index + 1) * EVENTS) / 2));
  }
  // One node alone cannot have this many open requests.
  await waitUntil(() => held > PER_NODE);
  return { store, a, b, receiver, events, goOn: gate.open };
}

function expectDistinctKeys({ requests }: WebhookReceiver) {
  expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
}

describe.skipIf(IS_SQLITE)('two nodes that share the queue on one PostgreSQL', () => {
  test(`both deliver, and each of ${EVENTS} events arrives once`, async () => {
    const { store, a, b, receiver, events, goOn } = await startPair();
    goOn();
    await waitUntil(async () => (await countUnsettled(store.url)) === 0);
    expect(findMissing(events, receiver)).toEqual([]);
    expect(receiver.requests).toHaveLength(EVENTS);
    expectDistinctKeys(receiver);
    expect((await Promise.all([a.stop(), b.stop()])).map(({ code }) => code)).toEqual([0, 0]);
  });

  // The leases of the killed node end after 30 s.
  test.runIf(IS_SOAK)(
    'one is killed -9: no delivery is lost, or repeated before its lease has ended',
    async () => {
      const { store, a, b, receiver, events, goOn } = await startPair();
      await a.kill();
      const leases = await readLeases(store.url);
      goOn();
      await waitUntil(async () => (await countUnsettled(store.url)) === 0);
      expect(findMissing(events, receiver)).toEqual([]);
      expectDistinctKeys(receiver);
      const repeated = findRepeated(receiver.requests);
      // Without open requests at the time of the kill this test would prove nothing.
      expect(repeated.length).toBeGreaterThan(0);
      for (const [first, again] of repeated) {
        const lease = leases.get(first ? deliveryIdOf(first) : '');
        expect(again?.receivedAtMs).toBeGreaterThanOrEqual(lease?.endsAtMs ?? Number.POSITIVE_INFINITY);
        expect((again?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0)).toBeGreaterThan(ANSWER_MS);
      }
      expect((await b.stop()).code).toBe(0);
    },
  );
});
