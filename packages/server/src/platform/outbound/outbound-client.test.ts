import { createServer, type Socket } from 'node:net';
import { createTestAuthority, findFreePort, type TestAuthority } from '@tps/testing/network';
import { type ReceiverOptions, startReceiver } from '@tps/testing/receiver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OutboundClient, type OutboundClientOptions } from './outbound-client.ts';

const REQUEST = { headers: { 'content-type': 'application/json', 'x-test': 'yes' }, body: '{"a":1}' };

function startClient(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const client = new OutboundClient({ allowInsecureTargets: true, ...options });
  onTestFinished(() => client.close());
  return client;
}

async function start(options: ReceiverOptions = {}) {
  const receiver = await startReceiver(options);
  onTestFinished(receiver.close);
  return receiver;
}

describe('a response', () => {
  test('the request arrives as given, and the response is returned', async () => {
    const respond = { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' };
    const receiver = await start({ respond });
    const outcome = await startClient().post(`${receiver.url}?a=b%20c`, REQUEST);
    expect(outcome).toEqual({
      kind: 'answered',
      status: 429,
      retryAfter: '7',
      excerpt: 'slow down',
      durationMs: expect.any(Number),
    });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=b%20c', body: '{"a":1}' });
    expect(request?.headers).toEqual({
      ...REQUEST.headers,
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-length': '7',
    });
  });

  test('bytes are sent as they are', async () => {
    const receiver = await start();
    await startClient().post(receiver.url, { headers: {}, body: Buffer.from('grün') });
    expect(receiver.requests[0]?.body).toBe('grün');
  });

  test('informational responses are skipped', async () => {
    const raw = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
    const receiver = await start({ respond: { raw } });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered', status: 204 });
  });

  test('a redirect is a response: its target receives nothing', async () => {
    const inner = await start();
    const receiver = await start({ respond: { status: 307, headers: { location: inner.url } } });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered', status: 307 });
    expect([receiver.requests.length, inner.connections]).toEqual([1, 0]);
  });

  test('the excerpt is the first 2 KiB, without broken or invisible characters', async () => {
    const client = startClient();
    const receiver = await start({ respond: { status: 500, body: 'x'.repeat(5000) } });
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ excerpt: 'x'.repeat(2048) });
    receiver.respondWith({
      status: 500,
      body: Buffer.from('a\u0000\u001b[31mb\u202e\r\nc\td\xff', 'latin1'),
    });
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ excerpt: 'a��[31mb.\nc\td�' });
    receiver.respondWith({ status: 500, body: `${'x'.repeat(2047)}ü` });
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ excerpt: 'x'.repeat(2047) });
  });
});

describe('a receiver that does not respond', () => {
  test('one that is down refuses the connection', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    expect(await startClient().post(url, REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'connection',
      message: 'The receiver refused the connection',
    });
  });

  test.each(['hang up', 'reset'] as const)(
    'one that does %s is reported as a closed connection',
    async (respond) => {
      const receiver = await start({ respond });
      expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({
        kind: 'failed',
        reason: 'connection',
        message: 'The receiver closed the connection before responding',
      });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test.each([
    ['stays silent', 'hang'],
    ['trickles the head', { trickle: 'head', everyMs: 5 }],
    ['sends informational responses', { raw: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20) }],
  ] as const)('one that %s is abandoned at the deadline and disconnected', async (_, respond) => {
    const receiver = await start({ respond });
    const outcome = await startClient({ timeouts: { answerMs: 200 } }).post(receiver.url, REQUEST);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      message: 'The receiver did not respond within 0.2 s',
    });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(199);
    // The default deadline. A deadline that each byte postpones never comes.
    expect(outcome.durationMs).toBeLessThan(10_000);
    await expect.poll(() => receiver.openConnections).toBe(0);
  });

  test('an endless response head is not read to its end', async () => {
    const raw = `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}`;
    const receiver = await start({ respond: { raw } });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({
      kind: 'failed',
      message: 'The response head is too long',
    });
  });

  test('one that does not speak HTTP is reported', async () => {
    const receiver = await start({ respond: { raw: '220 smtp.example.com ESMTP\r\n' } });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'connection',
      message: "The receiver's response is not valid HTTP",
    });
  });

  test('a TLS handshake that never ends is reported as a connection timeout', async () => {
    const { port, sockets } = await listenSilently();
    const client = startClient({ timeouts: { connectMs: 150 } });
    expect(await client.post(`https://127.0.0.1:${port}/`, REQUEST)).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      message: 'The connection was not established within 0.15 s',
    });
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
  });
});

test('a response may take longer than a connection', async () => {
  const respond = () => new Promise<number>((answer) => setTimeout(() => answer(200), 1_500));
  const receiver = await start({ respond });
  const outcome = await startClient({ timeouts: { connectMs: 1_000 } }).post(receiver.url, REQUEST);
  expect(outcome).toMatchObject({ kind: 'answered', status: 200 });
});

describe('a body that is not needed', () => {
  test('the status decides while the body trickles, and the connection is cut after 1 s', async () => {
    const receiver = await start({ respond: { trickle: 'body', everyMs: 20 } });
    const outcome = await startClient().post(receiver.url, REQUEST);
    expect(outcome).toMatchObject({
      kind: 'answered',
      status: 200,
      // At most one character every 20 ms.
      excerpt: expect.stringMatching(/^\.{5,55}$/),
    });
    await expect.poll(() => receiver.openConnections).toBe(0);
  });

  test('the response deadline also covers the body', async () => {
    const receiver = await start({ respond: { trickle: 'body', everyMs: 20 } });
    const outcome = await startClient({ timeouts: { answerMs: 600 } }).post(receiver.url, REQUEST);
    // The body alone would have 1 s, which is 50 characters.
    const excerpt = expect.stringMatching(/^\.{1,35}$/);
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, excerpt });
  });

  test('only the beginning of a gigabyte is read', async () => {
    const receiver = await start({ respond: { bodyBytes: 2 ** 30 } });
    const before = process.memoryUsage().rss;
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({
      kind: 'answered',
      status: 200,
      excerpt: 'x'.repeat(2048),
    });
    await expect.poll(() => receiver.openConnections).toBe(0);
    // What the kernel buffers on both sides hold: megabytes on loopback.
    expect(receiver.bytesWritten).toBeLessThan(50 * 2 ** 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });

  test('a truncated response still counts as a response', async () => {
    const raw = 'HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\npart';
    const receiver = await start({ respond: { raw } });
    const answer = startClient().post(receiver.url, REQUEST);
    await receiver.waitFor(1);
    setImmediate(() => receiver.dropConnections());
    expect(await answer).toMatchObject({ kind: 'answered', status: 202, excerpt: 'part' });
  });
});

describe('connections', () => {
  test('sequential posts share one connection', async () => {
    const receiver = await start({ respond: { status: 200, body: 'ok' } });
    const client = startClient();
    for (let count = 0; count < 5; count += 1) await client.post(receiver.url, REQUEST);
    expect(receiver.connections).toBe(1);
  });

  test('concurrent posts have one connection each, so that a slow one delays no other', async () => {
    const receiver = await start({ respond: (_, index) => (index < 3 ? 'hang' : 200) });
    const client = startClient({ timeouts: { answerMs: 60_000 } });
    const slow = [1, 2, 3].map(() => client.post(receiver.url, REQUEST));
    await receiver.waitFor(3);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered' });
    expect(receiver.connections).toBe(4);
    await client.close();
    await Promise.all(slow);
  });

  test('a connection that the receiver closed while idle is not reused', async () => {
    const receiver = await start();
    const client = startClient();
    for (let count = 0; count < 3; count += 1) {
      expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered' });
      receiver.dropConnections();
      await expect.poll(() => receiver.openConnections).toBe(0);
    }
    expect(receiver.connections).toBe(3);
  });

  test('idle connections are closed, for any number of hosts', async () => {
    const receiver = await start();
    const client = startClient({ timeouts: { idleMs: 100 } });
    const urls = Array.from({ length: 100 }, (_, number) =>
      receiver.url.replace('127.0.0.1', `n${number}.localhost`),
    );
    await Promise.all(urls.map((url) => client.post(url, REQUEST)));
    expect(receiver.connections).toBe(100);
    await expect.poll(() => client.load).toEqual({ requests: 0, idleConnections: 0 });
    await expect.poll(() => receiver.openConnections).toBe(0);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered' });
  });

  test('a connection past its lifetime is not reused', async () => {
    const receiver = await start();
    const client = startClient({ timeouts: { lifeMs: 0 } });
    await client.post(receiver.url, REQUEST);
    await client.post(receiver.url, REQUEST);
    expect(receiver.connections).toBe(2);
    await expect.poll(() => receiver.openConnections).toBe(0);
  });

  test('proxy settings of the environment are ignored', async () => {
    const proxy = await start();
    const receiver = await start();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    vi.stubEnv('NO_PROXY', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = startClient();
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ kind: 'answered' });
    await client.post(`https://127.0.0.1:${receiver.port}/`, REQUEST);
    expect([proxy.connections, receiver.connections]).toEqual([0, 2]);
  });

  test('close aborts requests under way and closes every connection', async () => {
    const { port, sockets } = await listenSilently();
    const receiver = await start({ respond: (_, index) => (index === 0 ? 200 : 'hang') });
    const client = startClient();
    await client.post(receiver.url, REQUEST);
    const posts = [receiver.url, receiver.url, `https://127.0.0.1:${port}/`].map((url) =>
      client.post(url, REQUEST),
    );
    await receiver.waitFor(3);
    await expect.poll(() => sockets.size).toBe(1);
    await client.close();
    const aborted = {
      kind: 'failed',
      reason: 'connection',
      message: 'The request was aborted because the service is stopping',
    };
    expect(await Promise.all(posts)).toMatchObject([aborted, aborted, aborted]);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject(aborted);
    await expect.poll(() => receiver.openConnections).toBe(0);
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
  });

  test('a header that cannot be sent is a failed request, not an exception', async () => {
    const receiver = await start();
    const post = startClient().post(receiver.url, { headers: { 'x-test': 'a\r\nb' }, body: '' });
    expect(await post).toMatchObject({ kind: 'failed', message: 'The request could not be sent' });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('TLS', () => {
  let authority: TestAuthority;
  let other: TestAuthority;
  beforeAll(() => {
    authority = createTestAuthority();
    other = createTestAuthority();
  });
  afterAll(() => {
    authority.remove();
    other.remove();
  });

  const failed = (message: string) => ({ kind: 'failed', reason: 'tls', message });

  test('a certificate of a configured authority is trusted, and of no other', async () => {
    const receiver = await start({ tls: authority.issue() });
    const untrusted = failed("The receiver's certificate is not trusted");
    expect(await startClient({ ca: authority.ca }).post(receiver.url, REQUEST)).toMatchObject({
      status: 200,
    });
    expect(await startClient({ ca: other.ca }).post(receiver.url, REQUEST)).toMatchObject(untrusted);
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject(untrusted);
    expect(receiver.requests).toHaveLength(1);
  });

  test('each of several configured authorities is trusted', async () => {
    const client = startClient({ ca: `${other.ca}\n${authority.ca}` });
    const receiver = await start({ tls: authority.issue() });
    expect(await client.post(receiver.url, REQUEST)).toMatchObject({ status: 200 });
  });

  test('verification cannot be disabled through the environment', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const receiver = await start({ tls: authority.issue() });
    expect(await startClient().post(receiver.url, REQUEST)).toMatchObject({ reason: 'tls' });
  });

  test.each([
    ['has expired', { days: -1 }, 'has expired'],
    ['is for another name', { names: 'DNS:hooks.test' }, 'is for another name'],
    ['is for another address', { names: 'IP:127.0.0.2' }, 'is for another name'],
  ])('a certificate that %s is rejected', async (_, options, what) => {
    const receiver = await start({ tls: authority.issue(options) });
    const client = startClient({ ca: authority.ca });
    const refused = failed(`The receiver's certificate ${what}`);
    // Twice: a session of a rejected handshake must not be resumed.
    expect(await client.post(receiver.url, REQUEST)).toMatchObject(refused);
    expect(await client.post(receiver.url, REQUEST)).toMatchObject(refused);
    expect(receiver.requests).toHaveLength(0);
  });

  test('a receiver without TLS is reported as a failed handshake', async () => {
    const receiver = await start();
    expect(await startClient().post(receiver.url.replace('http:', 'https:'), REQUEST)).toMatchObject(
      failed('The TLS handshake with the receiver failed'),
    );
  });
});

/** A server that accepts connections and never sends a byte. */
async function listenSilently(): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined).resume()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port.');
  return { port: address.port, sockets };
}
