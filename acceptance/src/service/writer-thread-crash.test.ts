import { fileURLToPath } from 'node:url';
import type { Event } from '@tps/contract';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { repetitions } from '@tps/testing/soak';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { findBrokenLink, readFeedTable } from './feed-table.ts';
import { readList } from './read-api.ts';

const FAULTY_SERVICE = fileURLToPath(
  new URL('../../../packages/server/src/features/events/testing/faulty-service.ts', import.meta.url),
);
const SENDERS = 6;

/** Sends events until it is stopped, and counts what was acknowledged and what was refused. */
function startSending(device: AgentlessDevice, baseUrl: string) {
  const acknowledged: string[] = [];
  const refusals = new Set<unknown>();
  let refused = 0;
  let isStopped = false;
  const client = toDeviceClient(device, { baseUrl });
  const send = async () => {
    while (!isStopped) {
      const event = createEvent(device);
      try {
        await client.submitEvent(event);
        acknowledged.push(event.event_id);
      } catch (error) {
        refused += 1;
        if (!isStopped) refusals.add((error as { code?: unknown }).code);
      }
    }
  };
  const ended = Promise.all(Array.from({ length: SENDERS }, send));
  return {
    acknowledged,
    refusals,
    refused: () => refused,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

const countEnds = (service: SpawnedService) => service.output().split('writer thread ended').length - 1;

const ALL_FAULTS = ['endsAfter', 'stops', 'endsBefore', 'throws', 'isSlow'];
/** What the thread does. On the second store, whether a commit that no one reported is found. */
const FAULTS = ALL_FAULTS.slice(
  0,
  process.env.TEST_STORE === 'postgres' ? 1 : repetitions({ short: 2, soak: ALL_FAULTS.length }),
);

test.each(FAULTS)('a kill loses no acknowledged event of a service whose writer thread %s', async (fault) => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const env = { SERVICE_DATABASE_URL: store.url, FAULT: fault };
  const first = await spawnService({ env });
  const { tenantId, admin: credential } = first.credentials();
  const device = await registerDevice({ baseUrl: first.baseUrl, tenantId, credential });
  await first.stop();

  const faulty = await spawnService({ program: FAULTY_SERVICE, env });
  const load = startSending(device, faulty.baseUrl);
  if (fault !== 'isSlow') await waitUntil(() => countEnds(faulty) >= 2, 60_000);
  const before = { acknowledged: load.acknowledged.length, refused: load.refused() };
  // It recovers by itself: more is acknowledged after the thread was replaced.
  await waitUntil(() => load.acknowledged.length > before.acknowledged + 3, 60_000);
  if (fault === 'stops') await waitUntil(() => load.refused() > before.refused + SENDERS, 60_000);
  const stopped = load.stop();
  await faulty.kill();
  await stopped;
  // A slow thread refuses only while it starts, on a busy machine.
  if (fault !== 'isSlow') expect(load.refused()).toBeGreaterThan(0);
  expect([...load.refusals].filter((code) => code !== 'unavailable')).toEqual([]);

  const healthy = await spawnService({ env });
  const { rows } = await readFeedTable(store.url, tenantId);
  const stored = rows.map((row) => row.event_id);
  expect(load.acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(findBrokenLink(rows)).toBeUndefined();
  const page = await readList<Event>(healthy.baseUrl, '/events', { credential, limit: 500 });
  expect(page.items.map((event) => event.event_id)).toEqual(stored.slice(0, 500));
  const again = toDeviceClient(device, { baseUrl: healthy.baseUrl });
  expect((await again.submitEvent(createEvent(device))).status).toBe(201);
});
