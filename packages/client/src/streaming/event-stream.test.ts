import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';
import { HANG_UP, type Reply, refusal, startScriptedService } from '../testing/scripted-service.ts';

/** Begins a stream at a cursor, sends events, and ends or cuts the connection. */
function stream(start: string, events: readonly string[], ending: 'end' | 'destroy' | 'stay' = 'end'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const messages = events.map(
      (id) => `id: ${id}\nevent: risk.event.created\ndata: {"event_id":"${id}"}\n\n`,
    );
    const text = `id: ${start}\nevent: ready\ndata: {}\n\n${messages.join('')}`;
    response.write(text, () => {
      if (ending === 'end') response.end();
      if (ending === 'destroy') response.destroy();
    });
  };
}

async function connect(script: readonly Reply[]) {
  const service = await startScriptedService(script);
  return { ...service, client: createClient({ baseUrl: service.url, credential: 'secret' }) };
}

test('a stream continues after the last event when its connection ends or breaks', async () => {
  const { client, received } = await connect([
    stream('0', ['a', 'b']),
    HANG_UP,
    refusal(503, 'unavailable'),
    stream('b', ['c'], 'destroy'),
    stream('c', ['d'], 'stay'),
  ]);
  const states: string[] = [];
  const events = client.events.stream({
    severity: 'high',
    onStateChange: (state, reason) =>
      void states.push([state, (reason as { code?: string })?.code].filter(Boolean).join(' ')),
  });
  const seen: string[] = [];
  for await (const { event_id } of events) {
    seen.push(event_id);
    expect(events.cursor).toBe(event_id);
    if (event_id === 'd') break;
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  expect(received.map(({ path }) => path)).toEqual([
    '/events/stream?severity=high',
    '/events/stream?severity=high&cursor=b',
    '/events/stream?severity=high&cursor=b',
    '/events/stream?severity=high&cursor=b',
    '/events/stream?severity=high&cursor=c',
  ]);
  expect(received[0]?.headers.authorization).toBe('Bearer secret');
  expect(states).toEqual([
    'connected',
    'disconnected',
    'disconnected connection_failed',
    'disconnected unavailable',
    'connected',
    'disconnected connection_failed',
    'connected',
  ]);
});

test('a stream that ends before its first event continues where it began', async () => {
  const { client, received } = await connect([stream('0', []), stream('0', ['a'], 'stay')]);
  for await (const _ of client.events.stream()) break;
  expect(received.map(({ path }) => path)).toEqual(['/events/stream', '/events/stream?cursor=0']);
});

test('without a listener a refusal is thrown, after a token source was asked again', async () => {
  const { url } = await startScriptedService([stream('0', ['a']), refusal(401, 'invalid_credentials')]);
  const rejected: string[] = [];
  const credential = { token: async () => 'token', reject: (token: string) => void rejected.push(token) };
  const client = createClient({ baseUrl: url, credential });
  const seen: string[] = [];
  const read = async () => {
    for await (const { event_id } of client.events.stream()) seen.push(event_id);
  };
  await expect(read()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_credentials' });
  expect(seen).toEqual(['a']);
  expect(rejected).toEqual(['token']);
});

test.each([
  [401, 'invalid_credentials'],
  [403, 'tenant_mismatch'],
  [404, 'not_found'],
])('a refusal after a connection is reported, and the stream continues (%i %s)', async (status, code) => {
  const { client } = await connect([stream('0', ['a']), refusal(status, code), stream('a', ['b'], 'stay')]);
  const reasons: unknown[] = [];
  const onStateChange = (_: string, reason?: unknown) => void (reason && reasons.push(reason));
  const seen: string[] = [];
  for await (const { event_id } of client.events.stream({ onStateChange })) {
    seen.push(event_id);
    if (event_id === 'b') break;
  }
  expect(seen).toEqual(['a', 'b']);
  expect(reasons).toMatchObject([{ status, code }]);
});

test('a refusal of the first connection is thrown', async () => {
  const { client, received } = await connect([refusal(401, 'invalid_credentials')]);
  const events = client.events.stream({ onStateChange: () => {} });
  await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(received).toHaveLength(1);
});

test('an aborted signal ends the loop, also while the service is away', async () => {
  for (const script of [[stream('0', ['a'], 'stay')], [stream('0', ['a']), refusal(503, 'unavailable')]]) {
    const { client } = await connect(script);
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { event_id } of client.events.stream({ signal: controller.signal })) {
      seen.push(event_id);
      setTimeout(() => controller.abort(), 20);
    }
    expect(seen).toEqual(['a']);
  }
});

test('leaving the loop closes the connection', async () => {
  const closed = new Promise<void>((resolve) => {
    const reply: Reply = (response) => {
      response.once('close', resolve);
      (stream('0', ['a'], 'stay') as (to: typeof response) => void)(response);
    };
    void connect([reply]).then(async ({ client }) => {
      for await (const _ of client.events.stream()) break;
    });
  });
  await closed;
});

test('an answer that is not a stream is refused', async () => {
  const { client } = await connect([{ json: { data: [] } }]);
  await expect(client.events.stream()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'answer_not_understood',
  });
});
