import { createHash } from 'node:crypto';
import { createDeviceClient } from '@tps/agent';
import type { Event } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../app/service/start-service.ts';

const WRITERS = 10;
const ROUNDS = 12;
const BATCH = 7;

const service = useTestService();
/** Writers and the reader alternate between these: two nodes where the store allows it. */
const nodes: string[] = [];
let other: Service | undefined;

beforeAll(async () => {
  nodes.push(service.baseUrl);
  if (service.service.database.engine === 'postgres') {
    other = await service.startNode();
    nodes.push(other.baseUrl);
  }
});

afterAll(async () => {
  await other?.stop();
});

/** Writes single events and batches in turn, each round at another node. Returns the ids that were acknowledged. */
async function write(device: TestDevice, writer: number): Promise<string[]> {
  const accepted: string[] = [];
  const { deviceId, key, tenant } = device;
  for (let round = 0; round < ROUNDS; round += 1) {
    const baseUrl = nodes[(writer + round) % nodes.length] ?? service.baseUrl;
    const client = createDeviceClient({ baseUrl, ...tenant, deviceId, key });
    if (round % 3 === 2) {
      const events = Array.from({ length: BATCH }, () => device.event({ action_taken: 'warn' }));
      const { body } = await client.submitEvents(events);
      for (const { event_id, status } of body.results)
        if (status === 201 && event_id) accepted.push(event_id);
    } else {
      const event = device.event({ indicators: [`sig:${writer % 2}`] });
      if ((await client.submitEvent(event)).status === 201) accepted.push(event.event_id);
    }
  }
  return accepted;
}

/** Follows the feed by cursor until it has reached the end after the writers were done. */
async function tail(isDone: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 5_000; page += 1) {
    const wasDone = isDone();
    const baseUrl = nodes[page % nodes.length] ?? service.baseUrl;
    const resume = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${baseUrl}/events?limit=${1 + (page % 9)}${resume}`, {
      headers: { authorization: `Bearer ${service.tenant.credential}` },
    });
    const body = (await response.json()) as { data: Event[]; has_more: boolean; next_cursor: string };
    seen.push(...body.data.map((event) => event.event_id));
    cursor = body.next_cursor;
    if (wasDone && !body.has_more) return seen;
  }
  throw new Error('the reader never reached the end of the feed');
}

test('a reader that follows the feed during writes sees each event once, in order', async () => {
  const devices = await Promise.all(Array.from({ length: WRITERS }, () => registerTestDevice(service)));
  let isDone = false;
  const reading = tail(() => isDone);
  const accepted = (await Promise.all(devices.map(write))).flat();
  isDone = true;
  const seen = await reading;
  expect(accepted).toHaveLength(WRITERS * ((ROUNDS / 3) * BATCH + (ROUNDS / 3) * 2));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.toSorted()).toEqual(accepted.toSorted());

  const rows = await service.service.database.read.db
    .selectFrom('events')
    .select(['event_id', 'position', 'received_at'])
    .orderBy('position')
    .execute();
  expect(rows.map((row) => row.event_id)).toEqual(seen);
  expect(rows.map((row) => row.position)).toEqual(rows.map((_, index) => index + 1));
  const arrivals = rows.map((row) => row.received_at);
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
});

test('the hash chain of the feed can be recomputed from the stored events', async () => {
  const { read } = service.service.database;
  const rows = await read.db
    .selectFrom('events')
    .select(['body', 'event_hash', 'chain_hash'])
    .orderBy('position')
    .execute();
  let chain = Buffer.alloc(32);
  for (const row of rows) {
    const eventHash = createHash('sha256').update(row.body).digest();
    chain = createHash('sha256').update(chain).update(eventHash).digest();
    expect(Buffer.from(row.event_hash).equals(eventHash)).toBe(true);
    expect(Buffer.from(row.chain_hash).equals(chain)).toBe(true);
  }
  const head = await read.db.selectFrom('feed_heads').selectAll().executeTakeFirstOrThrow();
  expect(head.position).toBe(rows.length);
  expect(Buffer.from(head.chain_hash).equals(chain)).toBe(true);
});

test('an id sent concurrently is stored once: 201, then 200, or 409 for other content', async () => {
  const device = await registerTestDevice(service);
  const event = device.event();
  const contents = [event, { ...event, confidence: 0.1 }];
  const { deviceId, key, tenant } = device;
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const baseUrl = nodes[index % nodes.length] ?? service.baseUrl;
      const client = createDeviceClient({ baseUrl, ...tenant, deviceId, key });
      const content = contents[index % 4 === 3 ? 1 : 0] ?? event;
      const outcome = await client.submitEvent(content).catch((error: { status: number }) => error);
      return { content, status: outcome.status };
    }),
  );
  const winner = answers.filter(({ status }) => status === 201);
  expect(winner).toHaveLength(1);
  for (const { content, status } of answers) {
    if (status !== 201) expect(status).toBe(content === winner[0]?.content ? 200 : 409);
  }
  const stored = await service.service.database.read.db
    .selectFrom('events')
    .select('body')
    .where('event_id', '=', event.event_id)
    .execute();
  expect(stored.map(({ body }) => JSON.parse(body))).toEqual([winner[0]?.content]);
});
