import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { AT_ONCE, HANG_UP, type Reply, refusal, startScriptedService } from '../testing/scripted-service.ts';

function page(ids: readonly string[], next_cursor: string, has_more = false): Reply {
  return { json: { data: ids.map((event_id) => ({ event_id })), has_more, next_cursor } };
}

async function connect(script: readonly Reply[]) {
  const service = await startScriptedService(script);
  const retry = { ...AT_ONCE, attempts: 1 };
  return { ...service, client: createClient({ baseUrl: service.url, credential: 'secret', retry }) };
}

test('following continues at the end of the list with later items', async () => {
  const { client, received } = await connect([
    page(['a'], '1', true),
    page(['b'], '2'),
    page([], '2'),
    page(['c'], '3'),
  ]);
  const seen: string[] = [];
  const feed = client.events.follow({ since: '2026-01-01T00:00:00Z', pollMs: 1 });
  for await (const { event_id } of feed) {
    seen.push(event_id);
    if (event_id === 'c') break;
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(feed.cursor).toBe('3');
  expect(received.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('cursor'))).toEqual([
    null,
    '1',
    '2',
    '2',
  ]);
});

test('an outage is waited out, and each failure is reported', async () => {
  const { client } = await connect([
    page(['a'], '1'),
    HANG_UP,
    refusal(503, 'unavailable'),
    page(['b'], '2'),
  ]);
  const outages: [unknown, number][] = [];
  const onOutage = (error: unknown, failed: number) =>
    void outages.push([(error as { code: string }).code, failed]);
  const seen: string[] = [];
  for await (const { event_id } of client.events.follow({ pollMs: 1, onOutage })) {
    seen.push(event_id);
    if (event_id === 'b') break;
  }
  expect(seen).toEqual(['a', 'b']);
  expect(outages).toEqual([
    ['connection_failed', 1],
    ['unavailable', 2],
  ]);
});

async function readTo(last: string, feed: AsyncIterable<{ event_id: string }>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { event_id } of feed) {
    seen.push(event_id);
    if (event_id === last) break;
  }
  return seen;
}

test.each([
  [400, 'invalid_parameter'],
  [400, 'plaintext_rejected'],
  [401, 'invalid_credentials'],
  [403, 'tenant_mismatch'],
  [404, 'not_found'],
])('a refusal after the first page is reported, and following continues (%i %s)', async (status, code) => {
  const { client } = await connect([page(['a'], '1'), refusal(status, code), page(['b'], '2')]);
  const outages: unknown[] = [];
  const onOutage = (error: unknown, failed: number) => void outages.push([error, failed]);
  expect(await readTo('b', client.events.follow({ pollMs: 1, onOutage }))).toEqual(['a', 'b']);
  expect(outages).toMatchObject([[{ status, code }, 1]]);
});

test('a page of a proxy after the first page is an outage', async () => {
  const { client } = await connect([page(['a'], '1'), { text: '<h1>Log in</h1>' }, page(['b'], '2')]);
  const outages: unknown[] = [];
  const onOutage = (error: unknown) => void outages.push(error);
  expect(await readTo('b', client.events.follow({ pollMs: 1, onOutage }))).toEqual(['a', 'b']);
  expect(outages).toMatchObject([{ code: 'answer_not_understood' }]);
});

test.each<[string, Reply[], boolean, string]>([
  ['an invalid request', [page(['a'], '1'), refusal(400, 'invalid_cursor')], true, 'invalid_cursor'],
  ['a refusal of the first request', [refusal(401, 'invalid_credentials')], true, 'invalid_credentials'],
  ['a refusal without a listener', [page(['a'], '1'), refusal(401, 'x')], false, 'x'],
])('%s ends the loop with the error', async (_, script, isListening, code) => {
  const { client, received } = await connect(script);
  const onOutage = isListening ? () => {} : undefined;
  await expect(readTo('z', client.events.follow({ pollMs: 1, onOutage }))).rejects.toMatchObject({ code });
  expect(received).toHaveLength(script.length);
});

test.each<[string, Reply[]]>([
  ['between two looks', [page(['a'], '1')]],
  ['while a service is away', [page(['a'], '1'), refusal(503, 'unavailable', { 'retry-after': '60' })]],
  ['during a request', [page(['a'], '1'), () => undefined]],
])('an aborted signal ends the loop %s as if the list had ended', async (name, script) => {
  const { client } = await connect(script);
  const controller = new AbortController();
  const pollMs = name === 'between two looks' ? 60_000 : 1;
  const seen: string[] = [];
  for await (const { event_id } of client.events.follow({ pollMs, signal: controller.signal })) {
    seen.push(event_id);
    setTimeout(() => controller.abort(), 50);
  }
  expect(seen).toEqual(['a']);
});

test('an error of the loop itself does not count as an outage', async () => {
  const { client, received } = await connect([page(['a'], '1')]);
  const read = async () => {
    for await (const _ of client.events.follow({ pollMs: 1 })) throw new Error('of the consumer');
  };
  await expect(read()).rejects.toThrow('of the consumer');
  expect(received).toHaveLength(1);
});

test('an unchanged end of the feed yields its page once, with the cursor to save', async () => {
  const { client } = await connect([page([], '1'), page([], '1'), page([], '2'), page(['a'], '3')]);
  const cursors: (string | null)[] = [];
  for await (const { next_cursor, data } of client.events.follow({ pollMs: 1 }).pages()) {
    cursors.push(next_cursor);
    if (data.length > 0) break;
  }
  expect(cursors).toEqual(['1', '2', '3']);
});
