import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '@tps/contract';
import { signRequest } from '@tps/signatures';
import { type AgentlessDevice, createEvent, registerDevice } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { readFeedTable } from './feed-table.ts';

const CONNECTIONS = 16;
/** The exit code of a service that has stopped within 9.5 s. A slower one ends itself with another code. */
const IN_TIME = 0;

/** The outcome of one request. `refused`: no connection. `reset`: the connection broke without an answer. */
interface Outcome {
  readonly eventId: string;
  readonly result: number | 'refused' | 'reset';
  readonly closes: boolean;
  readonly atMs: number;
}

async function startOnStore() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: store.url } });
  const { tenantId, admin: credential } = service.credentials();
  const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
  return { store, service, device };
}

/** Sends one signed event, on a keep-alive connection if one is open. */
async function send(
  baseUrl: string,
  { agent, device }: { agent: Agent; device: AgentlessDevice },
): Promise<Outcome> {
  const event: Event = createEvent(device);
  const body = Buffer.from(JSON.stringify(event));
  const { key, deviceId, credential } = device;
  const { privateKey, algorithm } = key;
  const signature = await signRequest(
    { method: 'POST', path: '/events', body },
    { privateKey, algorithm, keyId: deviceId, tag: 'tps-event' },
  );
  const headers = {
    ...signature,
    authorization: `Bearer ${credential}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve) => {
    const done = (result: Outcome['result'], closes: boolean) =>
      resolve({ eventId: event.event_id, result, closes, atMs: performance.now() });
    const outgoing = request(`${baseUrl}/events`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0, answer.headers.connection === 'close'));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ECONNREFUSED' ? 'refused' : 'reset', true),
    );
    outgoing.end(body);
  });
}

/** Each connection sends the next event as soon as the last one was answered, until the service refuses. */
async function sendUntilRefused(
  service: SpawnedService,
  device: AgentlessDevice,
  outcomes: Outcome[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        const outcome = await send(service.baseUrl, { agent, device });
        outcomes.push(outcome);
        if (typeof outcome.result === 'string') return;
      }
    }),
  );
}

/** What the store has no part in. */
const onceTest = test.runIf(process.env.TEST_STORE !== 'postgres');

test('SIGTERM under load: every sent request is answered, and every answered event is stored', async () => {
  const { store, service, device } = await startOnStore();
  const outcomes: Outcome[] = [];
  const sending = sendUntilRefused(service, device, outcomes);
  // Waits for load on every connection, on a machine of any speed.
  await waitUntil(() => outcomes.length > CONNECTIONS * 3);
  const stoppedAt = performance.now();
  const exit = await service.stop();
  expect(exit.code).toBe(IN_TIME);

  await sending;
  const countOf = (result: Outcome['result']) =>
    outcomes.filter((outcome) => outcome.result === result).length;
  expect(countOf(201)).toBeGreaterThan(CONNECTIONS * 3);
  expect(countOf('reset')).toBe(0);
  expect(countOf(201) + countOf('refused')).toBe(outcomes.length);
  // An answer announced the end of each connection, so the next attempt found no listener.
  const closing = outcomes.filter(({ result, closes }) => result === 201 && closes);
  expect(closing).toHaveLength(CONNECTIONS);
  expect(closing.every(({ atMs }) => atMs >= stoppedAt)).toBe(true);

  const { rows } = await readFeedTable(store.url, device.tenantId);
  const answered = outcomes.filter(({ result }) => result === 201).map(({ eventId }) => eventId);
  expect(rows.map((row) => row.event_id).sort()).toEqual(answered.sort());
});

onceTest('a stopping service reports that it is not ready, then closes its port', async () => {
  const { service } = await startOnStore();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const readiness = () =>
    new Promise<number | string>((resolve) => {
      const outgoing = request(`${service.baseUrl}/readyz`, { agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end();
    });
  expect(await readiness()).toBe(200);
  const stopping = service.stop();
  while (!service.output().includes('"msg":"service stopping"')) await sleep(1);
  // An open connection still receives the answer; a new connection is refused.
  expect(await readiness()).toBe(503);
  expect(await readiness()).toBe('ECONNREFUSED');
  expect((await stopping).code).toBe(0);
});

onceTest('silent connections and unfinished requests do not delay the stop of the service', async () => {
  const { service } = await startOnStore();
  const { hostname, port } = new URL(service.baseUrl);
  const silent = connect(Number(port), hostname);
  const endless = connect(Number(port), hostname);
  for (const socket of [silent, endless]) {
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  endless.write(
    'POST /events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  await sleep(100);
  const exit = await service.stop();
  expect(exit.code).toBe(IN_TIME);
});
