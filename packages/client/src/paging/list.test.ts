import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import type { EventPage } from '../schemas.ts';
import { type ReceivedRequest, type Reply, startScriptedService } from '../testing/scripted-service.ts';
import type { List } from './list.ts';

/** A list of numbered events with gaps, paged like the service does. */
function pagesOf(ids: readonly string[], { endsWith = 'cursor' } = {}) {
  return ({ path }: ReceivedRequest): Reply => {
    const query = new URLSearchParams(path.split('?')[1]);
    const from = Number(query.get('cursor') ?? 0);
    const to = Math.min(ids.length, from + Number(query.get('limit')));
    const data = ids.slice(from, to).map((event_id) => ({ event_id }));
    const has_more = to < ids.length;
    return { json: { data, has_more, next_cursor: has_more || endsWith === 'cursor' ? String(to) : null } };
  };
}

const IDS = ['a', 'b', 'c', 'd', 'e'];

async function connect(script: Parameters<typeof startScriptedService>[0]) {
  const service = await startScriptedService(script);
  return { ...service, client: createClient({ baseUrl: service.url, credential: 'secret' }) };
}

test('a list is fetched page by page to its end, each page only when needed', async () => {
  const { client, received } = await connect(pagesOf(IDS));
  const seen: [string, number][] = [];
  for await (const { event_id } of client.events.list({ limit: 2, severity: 'high' })) {
    seen.push([event_id, received.length]);
  }
  expect(seen).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 2],
    ['d', 2],
    ['e', 3],
  ]);
  expect(received.map(({ path }) => path)).toEqual([
    '/events?limit=2&severity=high',
    '/events?limit=2&severity=high&cursor=2',
    '/events?limit=2&severity=high&cursor=4',
  ]);
});

test('no request is sent before the iteration or after the loop was left', async () => {
  const { client, received } = await connect(pagesOf(IDS));
  const list = client.events.list({ limit: 2 });
  expect(received).toEqual([]);
  for await (const { event_id } of list) if (event_id === 'b') break;
  expect(received).toHaveLength(1);
});

test('a consumer that continues at the saved cursor misses nothing', async () => {
  const { client } = await connect(pagesOf(IDS));
  const resumed: Record<string, string[]> = {};
  for (const stopAfter of IDS) {
    const list = client.events.list({ limit: 2 });
    for await (const { event_id } of list) if (event_id === stopAfter) break;
    const rest = client.events.list({ limit: 2, cursor: list.cursor });
    resumed[stopAfter] = [];
    for await (const { event_id } of rest) resumed[stopAfter].push(event_id);
  }
  expect(resumed).toEqual({
    a: ['a', 'b', 'c', 'd', 'e'],
    b: ['c', 'd', 'e'],
    c: ['c', 'd', 'e'],
    d: ['e'],
    e: [],
  });
});

test('a consumer that saves each page with its cursor gets every event once', async () => {
  const { client } = await connect(pagesOf(IDS));
  const stored: string[] = [];
  let saved: string | null = null;
  for (let run = 0; run < IDS.length; run += 1) {
    const list: List<EventPage> = client.events.list({ limit: 2, cursor: saved });
    for await (const { data, next_cursor } of list.pages()) {
      stored.push(...data.map(({ event_id }) => event_id));
      saved = next_cursor;
      break;
    }
  }
  expect(stored).toEqual(IDS);
});

test('a list ends, and can be iterated again from its start', async () => {
  const { client } = await connect(pagesOf(IDS, { endsWith: 'null' }));
  const list = client.alerts.list({ limit: 3 });
  for (const _ of [1, 2]) {
    let count = 0;
    for await (const _alert of list) count += 1;
    expect([count, list.cursor]).toEqual([5, null]);
  }
  expect((await list.page()).data).toHaveLength(3);
});

test.each([null, 'same'])(
  'a page with more but cursor %s is an error, not an endless loop',
  async (cursor) => {
    const page = { data: [{}], has_more: true, next_cursor: cursor };
    const { client } = await connect([{ json: page }]);
    const read = async () => {
      for await (const _ of client.events.list({ cursor: 'same' }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'answer_not_understood' });
  },
);

test('an error on a later page is thrown in the loop', async () => {
  const { client } = await connect([
    { json: { data: [{}], has_more: true, next_cursor: 'n' } },
    { status: 400 },
  ]);
  const read = async () => {
    for await (const _ of client.events.list());
  };
  await expect(read()).rejects.toMatchObject({ status: 400 });
});
