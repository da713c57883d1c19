import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { newFolder } from '@tps/testing/fixture';
import { type SpawnedService, spawnProgram, spawnService } from '@tps/testing/process';
import { startReceiver } from '@tps/testing/receiver';
import { WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore, runOnServer } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { readList } from '../service/read-api.ts';
import { makeNextVersion, NEXT_MIGRATION } from './next-version.ts';
import { change, fillStore, isAccepted } from './store-content.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const PATHS = ['events?order=newest', 'incidents', 'alerts', 'threats', 'devices', 'jobs', 'webhooks'];
const BATCH_SIZE = 5;
/** A request follows the one before after this time: the load is bounded, however long the new node takes to start. */
const PAUSE_MS = 10;
const ENOUGH = 25;

interface Traffic {
  /** Ids of events that the node has promised to keep. */
  readonly acknowledged: Set<string>;
  /** Requests that were not answered as they should be. */
  readonly faults: string[];
  /** Waits for this many more acknowledged events and answered reads. */
  more(count: number): Promise<void>;
  /** Waits for the answers to the last requests. */
  stop(): Promise<void>;
}

/** Sends single events and batches of two devices to a node, and reads its lists, until it is stopped. */
function startTraffic(
  { baseUrl }: SpawnedService,
  { devices, credential }: { devices: readonly AgentlessDevice[]; credential: string },
): Traffic {
  const acknowledged = new Set<string>();
  const faults: string[] = [];
  const headers = { authorization: `Bearer ${credential}` };
  let reads = 0;
  let isStopped = false;
  const repeat = async (request: () => Promise<void>) => {
    while (!isStopped) {
      await request().catch((error: unknown) => faults.push(String(error)));
      await sleep(PAUSE_MS);
    }
  };
  const send = devices.flatMap((device) => {
    const client = toDeviceClient(device, { baseUrl });
    const single = async () => {
      const event = createEvent(device);
      await client.submitEvent(event);
      acknowledged.add(event.event_id);
    };
    const batch = async () => {
      const events = Array.from({ length: BATCH_SIZE }, () => createEvent(device));
      const { body } = await client.submitEvents(events);
      for (const { event_id: id, status } of body.results) {
        if (status <= 201) acknowledged.add(id ?? '');
        else faults.push(`an event of a batch: ${status}`);
      }
    };
    return [single, batch];
  });
  const read = async () => {
    const path = PATHS[reads % PATHS.length];
    const response = await fetch(`${baseUrl}/${path}`, { headers });
    const text = await response.text();
    if (response.status === 200) reads += 1;
    else faults.push(`GET /${path}: ${response.status} ${text}`);
  };
  const loops = [...send, read].map(repeat);
  const isFaulty = () => faults.length > 0;
  return {
    acknowledged,
    faults,
    async more(count) {
      const [events, answers] = [acknowledged.size + count, reads + count];
      await waitUntil(() => isFaulty() || (acknowledged.size >= events && reads >= answers));
    },
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

/** The ids of a tenant's feed, in its order. */
async function readFeed({ baseUrl }: SpawnedService, credential: string): Promise<string[]> {
  const { items } = await readList<{ event_id: string }>(baseUrl, '/events', { credential, limit: 100 });
  return items.map(({ event_id: id }) => id);
}

/** Nodes keep prepared statements, which must survive that a table changes. */
async function changeEveryTable(url: string): Promise<void> {
  const tables = await runOnServer<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables)
    await runOnServer(url, `alter table "${name}" add column added_last text default 'x'`);
}

test.skipIf(IS_SQLITE)(
  'a node serves on while one of the next version migrates and starts beside it',
  async () => {
    const store = await createTestStore('empty');
    onTestFinished(store.drop);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const env = { ...WEBHOOK_ENV, SERVICE_DATABASE_URL: store.url };
    const old = await spawnService({ env });
    const { tenantId, admin: credential } = old.credentials();
    const register = () => registerDevice({ baseUrl: old.baseUrl, tenantId, credential });
    const devices = await Promise.all([register(), register(), register(), register()]);
    const before = await fillStore(old, { tenantId, admin: credential, receiver: receiver.url });
    const oldTraffic = startTraffic(old, { devices: devices.slice(0, 2), credential });
    await oldTraffic.more(ENOUGH);

    const program = makeNextVersion();
    // Its files have another path in each run: they would fill the cache that all tests share.
    const nextEnv = { ...env, NODE_COMPILE_CACHE: newFolder() };
    const next = await spawnService({ env: nextEnv, program });
    expect(next.output()).toContain(NEXT_MIGRATION);
    const nextTraffic = startTraffic(next, { devices: devices.slice(2), credential });
    await Promise.all([oldTraffic.more(ENOUGH), nextTraffic.more(ENOUGH)]);
    await oldTraffic.stop();
    expect(oldTraffic.faults).toEqual([]);

    await changeEveryTable(store.url);
    await fillStore(old, { tenantId, admin: credential, receiver: receiver.url });
    await change(old, credential, ['DELETE', `/tokens/${before.token.token_id}`]);
    expect(await isAccepted(next, before.token.token ?? '')).toBe(false);
    expect(old.output()).not.toContain('"status":5');

    const feedOfOld = await readFeed(old, credential);
    expect((await old.stop()).code).toBe(0);
    await nextTraffic.more(ENOUGH);
    await nextTraffic.stop();
    expect(nextTraffic.faults).toEqual([]);
    const feed = await readFeed(next, credential);
    expect(feed.slice(0, feedOfOld.length)).toEqual(feedOfOld);
    expect(new Set(feed).size).toBe(feed.length);
    const promised = [...oldTraffic.acknowledged, ...nextTraffic.acknowledged];
    expect(promised.filter((id) => !feed.includes(id))).toEqual([]);
    await next.stop();
    expect((await spawnProgram({ program, args: ['verify'], env: nextEnv }).ended).code).toBe(0);
  },
);
