import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTcpRelay } from '@tps/testing/network';
import type { WebhookReceiver } from '@tps/testing/receiver';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import {
  countUnsettled,
  eventIdOf,
  findMissing,
  findRepeated,
  keyOf,
  newPushedEvents,
  type PushService,
  receive,
  registerWebhook,
  startPushService,
  submitAll,
} from './push-service.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const EVENTS = 200;
const FAILED = 'webhook delivery interrupted';
const RECOVERED = 'webhook delivery resumed';

interface FailingPush extends PushService {
  /** Disconnects the store, or fills it up. */
  fail(): Promise<void>;
  repair(): Promise<void>;
}

/** Files of this process may not grow: for SQLite this is a full disk, also for root. */
async function onFullDisk(): Promise<FailingPush> {
  const push = await startPushService();
  const setLimit = async (soft: string) => {
    execFileSync('prlimit', ['--pid', String(push.service.pid), `--fsize=${soft}:unlimited`]);
  };
  return { ...push, fail: () => setLimit('0'), repair: () => setLimit('unlimited') };
}

/** PostgreSQL becomes unreachable, all connections break, and it returns. */
async function behindRelay(): Promise<FailingPush> {
  let relay: Awaited<ReturnType<typeof startTcpRelay>> | undefined;
  const push = await startPushService({}, async (storeUrl) => {
    const url = new URL(storeUrl);
    relay = await startTcpRelay(Number(url.port));
    url.port = String(relay.port);
    return url.href;
  });
  onTestFinished(() => relay?.cut());
  return {
    ...push,
    fail: async () => relay?.cut(),
    repair: async () => relay?.restore(),
  };
}

function expectEachOnceOrTelling({ requests }: WebhookReceiver) {
  expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
  for (const repeats of findRepeated(requests)) {
    expect(new Set(repeats.map(eventIdOf)).size).toBe(1);
  }
}

test('a store failure while outcomes are recorded delays deliveries, loses none, is logged once', async () => {
  const push = IS_SQLITE ? await onFullDisk() : await behindRelay();
  const { service, device, store } = push;
  let answered = 0;
  const respond = async () => {
    await sleep(20);
    answered += 1;
    return 200;
  };
  const receiver = await receive({ respond });
  await registerWebhook(service, device, receiver);
  const events = newPushedEvents(device, EVENTS);
  await submitAll(service, device, events);
  await waitUntil(() => receiver.requests.length >= EVENTS / 5);
  await push.fail();
  await waitUntil(() => service.output().includes(FAILED));
  // Claimed deliveries are still sent, but without a store no new ones.
  await waitUntil(() => answered === receiver.requests.length);
  expect(answered).toBeLessThan(EVENTS);

  await push.repair();
  // A claim whose commit was not confirmed waits for the end of its lease: 30 s.
  await waitUntil(async () => (await countUnsettled(store.url)) === 0, 90_000);
  expect(findMissing(events, receiver)).toEqual([]);
  expectEachOnceOrTelling(receiver);
  const { code, output } = await service.stop();
  expect(code).toBe(0);
  expect(output.split(FAILED)).toHaveLength(2);
  expect(output.split(RECOVERED)).toHaveLength(2);
});
