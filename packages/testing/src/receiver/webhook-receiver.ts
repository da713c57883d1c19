import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSecureServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { type ReceiverReply, sendReply } from './receiver-reply.ts';

export type { ReceiverReply } from './receiver-reply.ts';

export type ReceivedRequest = {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly receivedAtMs: number;
  /** The number of its connection, from 1. */
  readonly connection: number;
};

/** Chooses the reply to a request; `index` counts requests from 0. */
export type Respond = (request: ReceivedRequest, index: number) => ReceiverReply | Promise<ReceiverReply>;

export type ReceiverOptions = {
  /** The reply to every request (default: 200). */
  readonly respond?: Respond | ReceiverReply;
  /** Serves HTTPS with this key and certificate in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Serves HTTP/2 only. Requires `tls`. */
  readonly http2?: boolean;
};

const WAIT_MS = 60_000;

export interface WebhookReceiver {
  /** With a path, without a trailing slash: `http://127.0.0.1:40123/hook`. */
  readonly url: string;
  readonly port: number;
  /** All requests so far, in the order in which they completed. */
  readonly requests: readonly ReceivedRequest[];
  /** The number of connections accepted so far. */
  readonly connections: number;
  /** The number of open connections. */
  readonly openConnections: number;
  /** The number of bytes written, before TLS: shows how much of an endless body the sender read. */
  readonly bytesWritten: number;
  /** Changes the reply to later requests. */
  respondWith(respond: Respond | ReceiverReply): void;
  /** Resolves with all requests once `count` have arrived. Rejects after 60 s. */
  waitFor(count: number): Promise<readonly ReceivedRequest[]>;
  /** Closes all connections, also those in use, like a receiver that restarts. The port stays open. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on loopback. It records the requests and sends the replies that a test chooses. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  let respond = toRespond(options.respond ?? 200);
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const connections = new Set<Socket>();
  /** By the client's port: with TLS or HTTP/2 the request has another socket object. */
  const numbers = new Map<number | undefined, number>();
  let accepted = 0;
  let bytesOfClosed = 0;

  const server = listenFor(options, async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const body = await readAll(incoming).catch(() => undefined);
    if (body === undefined) return;
    const request = toReceived(incoming, body, numbers.get(incoming.socket.remotePort) ?? 0);
    requests.push(request);
    for (const check of waiting) check();
    sendReply(await respond(request, requests.length - 1), incoming, outgoing);
  });
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    const { remotePort } = socket;
    numbers.set(remotePort, accepted);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connections.delete(socket);
      numbers.delete(remotePort);
      bytesOfClosed += socket.bytesWritten;
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    get connections() {
      return accepted;
    },
    get openConnections() {
      return connections.size;
    },
    get bytesWritten() {
      return [...connections].reduce((sum, socket) => sum + socket.bytesWritten, bytesOfClosed);
    },
    respondWith(next) {
      respond = toRespond(next);
    },
    waitFor: (count) => waitForRequests(requests, count, waiting),
    dropConnections() {
      for (const socket of connections) socket.destroy();
    },
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of connections) socket.destroy();
      return closed;
    },
  };
}

type ReceivedMessage = IncomingMessage | Http2ServerRequest;
type Handler = (incoming: ReceivedMessage, outgoing: ServerResponse | Http2ServerResponse) => void;

function listenFor({ tls, http2 }: ReceiverOptions, handler: Handler): Server {
  if (http2 && !tls) throw new Error('A receiver with HTTP/2 requires a certificate.');
  if (http2) return createHttp2Server({ ...tls, allowHTTP1: false }, handler);
  return tls ? createHttpsServer(tls, handler) : createHttpServer(handler);
}

function toRespond(respond: Respond | ReceiverReply): Respond {
  return typeof respond === 'function' ? respond : () => respond;
}

async function readAll(incoming: ReceivedMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function toReceived(incoming: ReceivedMessage, body: string, connection: number): ReceivedRequest {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers),
    body,
    receivedAtMs: Date.now(),
    connection,
  };
}

function waitForRequests(
  requests: readonly ReceivedRequest[],
  count: number,
  waiting: Set<() => void>,
): Promise<readonly ReceivedRequest[]> {
  return new Promise((found, failed) => {
    const timer = setTimeout(() => {
      waiting.delete(check);
      failed(new Error(`The receiver waited for ${count} requests and got ${requests.length}.`));
    }, WAIT_MS);
    const check = () => {
      if (requests.length < count) return;
      clearTimeout(timer);
      waiting.delete(check);
      found(requests);
    };
    waiting.add(check);
    check();
  });
}
