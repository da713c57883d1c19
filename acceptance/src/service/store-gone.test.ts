import { execFileSync } from 'node:child_process';
import type { Event } from '@tps/contract';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { startTcpRelay } from '@tps/testing/network';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { findBrokenLink, readFeedTable } from './feed-table.ts';
import { readList } from './read-api.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';

interface FailingStore {
  readonly service: SpawnedService;
  readonly device: AgentlessDevice;
  readonly storeUrl: string;
  /** Disconnects the store, or fills it up. */
  fail(): Promise<void>;
  repair(): Promise<void>;
}

/** Files of this process may not grow: for SQLite this is a full disk, also for root. */
async function onFullDisk(): Promise<FailingStore> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: store.url } });
  const setLimit = async (soft: string) => {
    execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${soft}:unlimited`]);
  };
  return {
    service,
    device: await deviceOf(service),
    storeUrl: store.url,
    fail: () => setLimit('0'),
    repair: () => setLimit('unlimited'),
  };
}

/** PostgreSQL becomes unreachable, all connections break, and it returns. */
async function behindRelay(): Promise<FailingStore> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const url = new URL(store.url);
  const relay = await startTcpRelay(Number(url.port));
  url.port = String(relay.port);
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: url.href } });
  return {
    service,
    device: await deviceOf(service),
    storeUrl: store.url,
    fail: () => relay.cut(),
    repair: async () => {
      await relay.restore();
      onTestFinished(() => relay.cut());
    },
  };
}

function deviceOf(service: SpawnedService): Promise<AgentlessDevice> {
  const { tenantId, admin: credential } = service.credentials();
  return registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
}

/** An answer, with the headers for a retry. */
async function outcomeOf(service: SpawnedService, device: AgentlessDevice, send: Send) {
  const seen: { status: number; retryAfter: number }[] = [];
  const watched: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    seen.push({ status: response.status, retryAfter: Number(response.headers.get('retry-after')) });
    return response;
  };
  const { baseUrl } = service;
  const client = toDeviceClient(device, { baseUrl, fetch: watched });
  await send(client).catch(() => undefined);
  return seen;
}

type Send = (client: ReturnType<typeof toDeviceClient>) => Promise<unknown>;

async function post(
  service: SpawnedService,
  path: string,
  { body, device }: { body: object; device: AgentlessDevice },
) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return {
    status: response.status,
    code: error?.code,
    retryAfter: Number(response.headers.get('retry-after')),
  };
}

async function feedIds(service: SpawnedService, { credential }: AgentlessDevice): Promise<string[]> {
  const { items } = await readList<Event>(service.baseUrl, '/events', { credential, limit: 500 });
  return items.map((event) => event.event_id);
}

test('a full or unreachable store answers 503 with Retry-After, and recovers without a restart', async () => {
  const { service, device, storeUrl, fail, repair } = IS_SQLITE ? await onFullDisk() : await behindRelay();
  const before = createEvent(device, { action_taken: 'block' });
  await toDeviceClient(device, service).submitEvent(before);

  await fail();
  const single = createEvent(device, { action_taken: 'block' });
  const batch = Array.from({ length: 30 }, () => createEvent(device));
  const policy = { name: 'Made while the store was away', threat_categories: ['phishing'], action: 'warn' };
  const token = { name: 'made while the store was away', scopes: ['events:read'] };
  const refusals = [
    ...(await outcomeOf(service, device, (client) => client.submitEvent(single))),
    ...(await outcomeOf(service, device, (client) => client.submitEvents(batch))),
    ...(await outcomeOf(service, device, (client) => client.register({ platform: 'ios', name: 'Renamed' }))),
    await post(service, '/policies', { body: policy, device }),
    await post(service, '/tokens', { body: token, device }),
  ];
  expect(refusals).toHaveLength(5);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ status: 503 });
    expect(refusal.retryAfter).toBeGreaterThanOrEqual(1);
  }
  expect(refusals[4]).toMatchObject({ code: 'unavailable' });

  await repair();
  await waitUntil(async () => (await fetch(`${service.baseUrl}/readyz`)).status === 200);
  expect(await feedIds(service, device)).toEqual([before.event_id]);
  const policies = await readList<object>(service.baseUrl, '/policies', {
    credential: device.credential,
    limit: 100,
  });
  expect(policies.items).toEqual([]);
  expect(service.output()).not.toContain('internal_error');

  const client = toDeviceClient(device, service);
  expect((await client.submitEvent(single)).status).toBe(201);
  expect((await client.submitEvents(batch)).body.results.map(({ status }) => status)).toEqual(
    batch.map(() => 201),
  );
  const expected = [before, single, ...batch].map((event) => event.event_id);
  expect(await feedIds(service, device)).toEqual(expected);
  const { rows } = await readFeedTable(storeUrl, device.tenantId);
  expect(findBrokenLink(rows)).toBeUndefined();
  expect((await service.stop()).code).toBe(0);
});

test.skipIf(IS_SQLITE)(
  'without PostgreSQL a node is not ready, limits locally, and logs it once',
  async () => {
    const { service, fail, repair } = await behindRelay();
    const ask = (path: string) => fetch(`${service.baseUrl}${path}`);
    expect((await ask('/healthz')).status).toBe(200);
    await fail();
    for (let request = 1; request <= 3; request += 1) {
      const health = await ask('/healthz');
      expect(health.status).toBe(200);
      expect(Number(health.headers.get('x-ratelimit-remaining'))).toBe(600 - 1 - request);
    }
    const readiness = await ask('/readyz');
    expect(readiness.status).toBe(503);
    expect(Number(readiness.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    await repair();
    await waitUntil(async () => {
      await ask('/healthz');
      return service.output().includes('shared rate limiter recovered');
    });
    expect((await ask('/readyz')).status).toBe(200);
    expect(service.output().split('shared rate limiter failed')).toHaveLength(2);
  },
);
