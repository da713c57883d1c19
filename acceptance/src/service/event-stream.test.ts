import { createClient } from '@tps/client';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { findFreePort, startTcpRelay } from '@tps/testing/network';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const PER_SECOND = 50;
const EVENTS = 250;
const BATCH = 5;

async function start() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const port = await findFreePort();
  const env = { SERVICE_DATABASE_URL: store.url, SERVICE_BIND: `127.0.0.1:${port}` };
  const service = await spawnService({ env });
  const { tenantId, admin: credential } = service.credentials();
  const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
  return { service, env, port, device, credential };
}

/**
 * Sends events at a steady rate until so many were acknowledged, the last ones only when the promise is kept.
 * Those that fail are sent again.
 */
async function sendSteadily(
  device: AgentlessDevice,
  { baseUrl, beforeLast = Promise.resolve() }: { baseUrl: string; beforeLast?: Promise<unknown> },
): Promise<string[]> {
  const client = toDeviceClient(device, { baseUrl });
  const acknowledged: string[] = [];
  while (acknowledged.length < EVENTS) {
    const beganAt = performance.now();
    const events = Array.from({ length: BATCH }, () => createEvent(device));
    if (acknowledged.length === EVENTS - BATCH) await beforeLast;
    let isStored = false;
    while (!isStored) {
      isStored = await client.submitEvents(events).then(
        () => true,
        () => false,
      );
    }
    acknowledged.push(...events.map(({ event_id }) => event_id));
    await waitUntil(() => performance.now() - beganAt >= (events.length / PER_SECOND) * 1_000);
  }
  return acknowledged;
}

/** Receives until the last event has arrived. */
function receive({ baseUrl, credential, count }: { baseUrl: string; credential: string; count: number }) {
  const stop = new AbortController();
  const seen: string[] = [];
  const states: string[] = [];
  const { events } = createClient({ baseUrl, credential });
  const stream = events.stream({ signal: stop.signal, onStateChange: (state) => void states.push(state) });
  const ended = (async () => {
    for await (const { event_id } of stream) {
      seen.push(event_id);
      if (seen.length >= count) stop.abort();
    }
  })();
  onTestFinished(() => stop.abort());
  return { seen, states, ended };
}

/** Kills and restarts the service after each third of the events. */
async function killTwice(service: SpawnedService, env: Record<string, string>, reader: { seen: string[] }) {
  let running = service;
  for (const share of [1, 2]) {
    await waitUntil(() => reader.seen.length > (share * EVENTS) / 3);
    await running.kill();
    running = await spawnService({ env });
  }
}

test('a reader gets each event once at 50 per second, although the service is killed', async () => {
  const { service, env, device, credential } = await start();
  const reader = receive({ baseUrl: service.baseUrl, credential, count: EVENTS });
  await waitUntil(() => reader.states.length > 0);
  // A fast sender would otherwise be done before the second kill, and the reader would not have to come back.
  const killedTwice = killTwice(service, env, reader);
  const ids = await sendSteadily(device, { baseUrl: service.baseUrl, beforeLast: killedTwice });
  await reader.ended;
  expect(new Set(reader.seen).size).toBe(reader.seen.length);
  expect([...reader.seen].sort()).toEqual([...ids].sort());
  expect(reader.states.filter((state) => state === 'connected').length).toBeGreaterThan(2);
});

test('a reader whose connection is cut gets each event once, in the order of the feed', async () => {
  const { service, port, device, credential } = await start();
  const relay = await startTcpRelay(port);
  onTestFinished(() => relay.cut());
  const reader = receive({ baseUrl: `http://127.0.0.1:${relay.port}`, credential, count: EVENTS });
  await waitUntil(() => reader.states.length > 0);
  const sent = sendSteadily(device, service);
  for (const share of [1, 2, 3]) {
    await waitUntil(() => reader.seen.length > (share * EVENTS) / 4);
    await relay.cut();
    await relay.restore();
  }
  const ids = await sent;
  await reader.ended;
  expect(reader.seen).toEqual(ids);
});
