import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type CertificatePair, createTestAuthority, type TestAuthority } from '@tps/testing/network';
import { type ReceiverOptions, startReceiver } from '@tps/testing/receiver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OutboundClient, type OutboundClientOptions } from './outbound-client.ts';

const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

let authority: TestAuthority;
let tls: CertificatePair;
beforeAll(() => {
  authority = createTestAuthority();
  tls = authority.issue();
});
afterAll(() => authority.remove());

function startClient(timeouts: NonNullable<OutboundClientOptions['timeouts']> = {}): OutboundClient {
  const client = new OutboundClient({ allowInsecureTargets: true, ca: authority.ca, timeouts });
  onTestFinished(() => client.close());
  return client;
}

async function start(options: ReceiverOptions = {}) {
  const receiver = await startReceiver({ tls, http2: true, ...options });
  onTestFinished(receiver.close);
  return receiver;
}

test('a receiver that speaks only HTTP/2 is reached, over one connection', async () => {
  const respond = { status: 503, headers: { 'retry-after': '3' }, body: 'busy' };
  const receiver = await start({ respond });
  const client = startClient();
  for (let count = 0; count < 3; count += 1) {
    expect(await client.post(`${receiver.url}?a=b`, REQUEST)).toMatchObject({
      kind: 'answered',
      status: 503,
      retryAfter: '3',
      excerpt: 'busy',
    });
  }
  expect(receiver.connections).toBe(1);
  expect(receiver.requests[0]).toMatchObject({
    method: 'POST',
    path: '/hook?a=b',
    body: '{"a":1}',
    headers: { ...REQUEST.headers, ':authority': `127.0.0.1:${receiver.port}`, ':scheme': 'https' },
  });
});

test('a receiver that speaks HTTP/1.1 over TLS is reached too', async () => {
  const receiver = await start({ http2: false });
  expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered', status: 200 });
});

test('an idle connection is closed', async () => {
  const receiver = await start();
  const client = startClient({ idleMs: 100 });
  await client.post(receiver.url, REQUEST);
  expect(receiver.openConnections).toBe(1);
  await expect.poll(() => receiver.openConnections).toBe(0);
});

test('a silent receiver is abandoned at the deadline; the next request reconnects', async () => {
  const receiver = await start({ respond: (_, index) => (index === 0 ? 'hang' : 200) });
  const client = startClient({ answerMs: 2_000 });
  expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'failed', reason: 'timeout' });
  expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered', status: 200 });
  expect(receiver.connections).toBe(2);
  await expect.poll(() => receiver.openConnections).toBe(1);
});

test.each(['hang up', 'reset'] as const)(
  'a receiver that does %s is reported as a closed connection',
  async (respond) => {
    const receiver = await start({ respond });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'connection',
      message: 'The receiver closed the connection before responding',
    });
  },
);

test('only the beginning of a gigabyte is read', async () => {
  const receiver = await start({ respond: { bodyBytes: 2 ** 30 } });
  const before = process.memoryUsage().rss;
  const outcome = await startClient().post(receiver.url, REQUEST);
  expect(outcome).toMatchObject({ kind: 'answered', status: 200, excerpt: 'x'.repeat(2048) });
  await expect.poll(() => receiver.openConnections).toBe(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('a trickling body does not turn a response into a failure', async () => {
  const receiver = await start({ respond: { trickle: 'body', everyMs: 20 } });
  const outcome = await startClient({ answerMs: 900 }).post(receiver.url, REQUEST);
  expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
  await expect.poll(() => receiver.openConnections).toBe(0);
});

test('close aborts the request under way', async () => {
  const receiver = await start({ respond: 'hang' });
  const client = startClient();
  const post = client.post(receiver.url, REQUEST);
  await receiver.waitFor(1);
  await client.close();
  expect(await post).toMatchObject({ kind: 'failed', reason: 'connection' });
  await expect.poll(() => receiver.openConnections).toBe(0);
});

type Misbehaviour = (stream: ServerHttp2Stream, session: ServerHttp2Session) => void;

const MISBEHAVIOURS: readonly (readonly [string, Misbehaviour])[] = [
  ['resets the stream', (stream) => stream.close(2)],
  ['refuses the stream', (stream) => stream.close(7)],
  ['cancels the stream', (stream) => stream.close(8)],
  ['sends GOAWAY', (_, session) => session.goaway(0)],
  ['sends GOAWAY with an error', (_, session) => session.goaway(11)],
  [
    'sends GOAWAY twice and closes',
    (_, session) => {
      session.goaway(0);
      session.goaway(1);
      session.destroy();
    },
  ],
  [
    'sends GOAWAY and resets the stream',
    (stream, session) => {
      session.goaway(0);
      stream.close(2);
    },
  ],
  ['closes gracefully', (_, session) => session.close()],
  ['destroys the session with an error code', (_, session) => session.destroy(undefined, 1)],
  [
    'rejects all streams',
    (stream, session) => {
      session.settings({ maxConcurrentStreams: 0 });
      stream.close(7);
    },
  ],
  ['ends without a head', (stream) => void stream.destroy()],
];

describe('a receiver that misbehaves', () => {
  test.each(MISBEHAVIOURS)('one that %s fails only this request', async (_, misbehave) => {
    const port = await listen(misbehave);
    const client = startClient({ answerMs: 2_000 });
    const posts = Array.from({ length: 4 }, () => client.post(`https://127.0.0.1:${port}/`, REQUEST));
    const outcomes = await Promise.all(posts);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed', 'failed']);
    const receiver = await start();
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered' });
  });

  test.each(MISBEHAVIOURS)('one that %s after the head has responded', async (_, misbehave) => {
    const port = await listen((stream, session) => {
      stream.respond({ ':status': 202 });
      stream.write('part', () => setImmediate(() => misbehave(stream, session)));
    });
    const client = startClient({ answerMs: 2_000 });
    const outcome = await client.post(`https://127.0.0.1:${port}/`, REQUEST);
    expect(outcome).toMatchObject({ kind: 'answered', status: 202 });
  });

  test('a response head with many or long fields is rejected', async () => {
    const port = await listen((stream) => {
      const fields = Array.from({ length: 60 }, (_, number) => [`x-field-${number}`, 'x'.repeat(4000)]);
      stream.respond({ ':status': 200, ...Object.fromEntries(fields) });
      stream.end();
    });
    const outcome = await startClient().post(`https://127.0.0.1:${port}/`, REQUEST);
    expect(outcome).toMatchObject({ kind: 'failed' });
  });
});

/** A server whose streams all misbehave in the given way. */
async function listen(misbehave: Misbehaviour): Promise<number> {
  const server = createSecureServer({ ...tls, maxSendHeaderBlockLength: 1_000_000 });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    const { session } = stream;
    if (session) misbehave(stream, session as ServerHttp2Session);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
}
