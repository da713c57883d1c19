import { once } from 'node:events';
import { createServer, request as openRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryEventIdStore } from '../memory-event-id-store.ts';
import type { WebhookReceiverOptions } from '../receive-webhook.ts';
import { EVENT, NOW_S, SECRET, signDelivery } from '../testing/sign-delivery.ts';
import { expressWebhookHandler } from './express-handler.ts';
import { fastifyWebhookPlugin } from './fastify-plugin.ts';
import { fetchWebhookHandler, honoWebhookHandler } from './fetch-handler.ts';
import { nodeWebhookListener } from './node-listener.ts';

type Close = () => unknown;
type StartOn = (options: WebhookReceiverOptions) => Promise<{ port: number; close: Close }>;

async function listen(server: ReturnType<typeof createServer>) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const startOnNode: StartOn = (options) => listen(createServer(nodeWebhookListener(options)));

const startOnExpress: StartOn = (options) => {
  const app = express();
  app.all('/webhooks', expressWebhookHandler(options));
  app.use(express.json());
  return listen(createServer(app));
};

const startBehindRaw: StartOn = (options) => {
  const app = express();
  app.use(express.raw({ type: () => true, limit: '8mb' }));
  app.all('/webhooks', expressWebhookHandler(options));
  return listen(createServer(app));
};

const startOnFastify: StartOn = async (options) => {
  // Otherwise it waits for the rest of a refused body, and then for its keep-alive of 72 s.
  const app = fastify({ forceCloseConnections: true });
  await app.register(fastifyWebhookPlugin({ ...options, path: '/webhooks' }));
  app.post('/echo', async (request) => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
};

const startOnHono: StartOn = async (options) => {
  const app = new Hono();
  app.all('/webhooks', honoWebhookHandler(options));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};

const ADAPTERS: [string, StartOn][] = [
  ['node:http', startOnNode],
  ['Express', startOnExpress],
  ['Express behind express.raw()', startBehindRaw],
  ['Fastify', startOnFastify],
  ['Hono', startOnHono],
];

function optionsWith(changes: Partial<WebhookReceiverOptions>): WebhookReceiverOptions {
  return {
    secrets: [SECRET],
    store: createMemoryEventIdStore(),
    clock: () => NOW_S * 1000,
    onEvent: () => undefined,
    onError: () => undefined,
    ...changes,
  };
}

async function start(startOn: StartOn) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const { port, close } = await startOn(
    optionsWith({
      onEvent: ({ eventId }) => void handled.push(eventId),
      onError: (error) => void errors.push(error),
    }),
  );
  onTestFinished(async () => void (await close()));
  const url = `http://127.0.0.1:${port}/webhooks`;
  const post = async (changes: RequestInit = {}) => {
    const { body, headers } = signDelivery();
    const answer = await fetch(url, { method: 'POST', headers, body, ...changes });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  return { port, handled, errors, post };
}

test.each(ADAPTERS)('on %s a delivery is handled once and a changed one is refused', async (_, startOn) => {
  const { post, handled, errors } = await start(startOn);
  expect(await post({ body: `${signDelivery().body} ` })).toMatchObject({ status: 401 });
  expect(await post()).toEqual({
    status: 200,
    type: expect.stringMatching(/^application\/json/),
    text: '{"status":"handled"}',
  });
  expect(await post()).toMatchObject({ status: 200, text: '{"status":"duplicate"}' });
  expect(handled).toEqual([EVENT.event_id]);
  expect(errors).toEqual([]);
});

test.each(ADAPTERS)('on %s the content type does not matter', async (_, startOn) => {
  const { post, handled } = await start(startOn);
  const { headers } = signDelivery();
  const status = async (type: string) =>
    (await post({ headers: { ...headers, 'content-type': type } })).status;
  for (const type of ['text/plain', 'application/json; charset=utf-8', 'x/y'])
    expect(await status(type)).toBe(200);
  expect(handled).toHaveLength(1);
});

test.each(ADAPTERS)(
  'on %s a body over the limit is refused with 413, announced or not',
  async (_, startOn) => {
    const { port, post, handled } = await start(startOn);
    expect(await post({ body: new Uint8Array(3_000_000) })).toMatchObject({ status: 413 });
    const request = openRequest({
      port,
      host: '127.0.0.1',
      path: '/webhooks',
      method: 'POST',
      headers: signDelivery().headers,
    });
    // Chunked and never ended: the refusal must not wait for the end.
    const answered = once(request, 'response');
    if (startOn !== startBehindRaw)
      for (let sent = 0; sent < 20; sent += 1) request.write(new Uint8Array(100_000));
    else request.end(new Uint8Array(3_000_000));
    const [{ statusCode }] = await answered;
    request.destroy();
    expect(statusCode).toBe(413);
    expect(handled).toEqual([]);
  },
);

test.each(ADAPTERS)('on %s an empty body and a GET are refused', async (_, startOn) => {
  const { post, handled } = await start(startOn);
  expect(await post({ body: '' })).toMatchObject({ status: 401 });
  expect(await post({ method: 'GET', body: null })).toMatchObject({ status: 405 });
  expect(handled).toEqual([]);
});

test.each(ADAPTERS)('on %s a sender that disconnects within the body does no harm', async (_, startOn) => {
  const { port, post, handled, errors } = await start(startOn);
  const { body, headers } = signDelivery();
  const socket = connect(port, '127.0.0.1');
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': body.length + 10 });
  socket.write(
    `POST /webhooks HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  socket.end();
  await once(socket.resume(), 'close');
  expect(await post()).toMatchObject({ status: 200 });
  expect(handled).toEqual([EVENT.event_id]);
  expect(errors).toEqual([]);
});

test('on Express behind a JSON parser every delivery fails, and the error is reported', async () => {
  const { post, handled, errors } = await start((options) => {
    const app = express();
    app.use(express.json());
    app.all('/webhooks', expressWebhookHandler(options));
    return listen(createServer(app));
  });
  expect(await post()).toMatchObject({ status: 500 });
  expect(handled).toEqual([]);
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('already read') })]);
});

test('a node:http request with setEncoding fails, and the error is reported', async () => {
  const { post, handled, errors } = await start((options) => {
    const receive = nodeWebhookListener(options);
    return listen(createServer((request, response) => receive(request.setEncoding('utf8'), response)));
  });
  expect(await post()).toMatchObject({ status: 500 });
  expect(handled).toEqual([]);
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('setEncoding') })]);
});

test('a request that was closed before it is read does not wait forever', async () => {
  let answered: Promise<void> | undefined;
  const receive = nodeWebhookListener(optionsWith({}));
  const server = createServer((request, response) => {
    request.once('close', () => {
      answered = receive(request, response);
      server.emit('looked at');
    });
  });
  const { port, close } = await listen(server);
  onTestFinished(close);
  const socket = connect(port, '127.0.0.1');
  const looked = once(server, 'looked at');
  socket.end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf');
  await looked;
  await answered;
});

test('a fetch request whose body was already read fails, and the error is reported', async () => {
  const errors: unknown[] = [];
  const handle = fetchWebhookHandler(optionsWith({ onError: (error) => void errors.push(error) }));
  const { body, headers } = signDelivery();
  const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body });
  await request.text();
  expect((await handle(request)).status).toBe(500);
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('already read') })]);
});

test('a fetch request that is too large is not read to the end', async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const request = new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' });
  expect((await fetchWebhookHandler(optionsWith({}))(request)).status).toBe(413);
  expect(isCancelled).toBe(true);
});

test('the plugin does not change the other routes of a Fastify app', async () => {
  const { port } = await start(startOnFastify);
  const answer = await fetch(`http://127.0.0.1:${port}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await answer.json()).toEqual({ a: 1 });
});

test.each(ADAPTERS)('on %s a receiver without a secret does not start', async (_, startOn) => {
  const options = optionsWith({ secrets: [''] });
  await expect((async () => startOn(options))()).rejects.toBeInstanceOf(TypeError);
});
