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
  /** The number of the connection it came over, from 1. */
  readonly connection: number;
};

/** Decides on the answer to a request; `index` counts requests from 0. */
export type Respond = (request: ReceivedRequest, index: number) => ReceiverReply | Promise<ReceiverReply>;

export type ReceiverOptions = {
  /** What to answer: 200 to everything unless given. */
  readonly respond?: Respond | ReceiverReply;
  /** Serves HTTPS with this key and certificate in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Speaks HTTP/2 and nothing else. Needs `tls`. */
  readonly http2?: boolean;
};

export interface WebhookReceiver {
  /** With a path, without a trailing slash: `http://127.0.0.1:40123/hook`. */
  readonly url: string;
  readonly port: number;
  /** All requests so far, in the order in which they were complete. */
  readonly requests: readonly ReceivedRequest[];
  /** How many connections were ever accepted. */
  readonly connections: number;
  /** How many of them are open now. */
  readonly openConnections: number;
  /** How many bytes were written to them without TLS: a measure of how much of an endless body was read. */
  readonly bytesWritten: number;
  /** Changes the answer to later requests. */
  respondWith(respond: Respond | ReceiverReply): void;
  /** Resolves with all requests once there are so many; fails loudly after 10 s. */
  waitFor(count: number): Promise<readonly ReceivedRequest[]>;
  /** Closes idle connections and open ones alike, as a receiver that is started anew. The port stays. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on loopback that records what it is sent and answers as it is told. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  let respond = toRespond(options.respond ?? 200);
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  const connections = new Set<Socket>();
  /** By the client's port: the socket itself is another object above TLS and above HTTP/2. */
  const numbers = new Map<number | undefined, number>();
  let accepted = 0;
  let bytesOfClosed = 0;

  const server = listenFor(options, async (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const body = await readAll(incoming).catch(() => undefined);
    if (body === undefined) return;
    const request = toReceived(incoming, body, numbers.get(incoming.socket.remotePort) ?? 0);
    requests.push(request);
    for (const look of waiting) look();
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
  if (http2 && !tls) throw new Error('A receiver that speaks HTTP/2 needs a certificate.');
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
      waiting.delete(look);
      failed(new Error(`The receiver waited for ${count} requests and got ${requests.length}.`));
    }, 10_000);
    const look = () => {
      if (requests.length < count) return;
      clearTimeout(timer);
      waiting.delete(look);
      found(requests);
    };
    waiting.add(look);
    look();
  });
}
