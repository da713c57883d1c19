import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCalls } from '../process-calls.ts';
import { Arrivals } from './arrivals.ts';

/** A delivery as it arrived. */
export interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers answer at once; or hold every delivery unanswered; or every so many-th of them does. */
type Manner = 'answer' | 'hold' | { readonly holdsEvery: number };

const SAMPLES = 500;
/** Made by each client for itself. */
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/** A process of its own, all of whose ports are webhook receivers that do the least a receiver can. */
let servers: Server[] = [];
let arrivals = new Arrivals(0);
let manner: Manner = 'hold';
let samples: ReceivedRequest[] = [];

function receive(receiver: number, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (holds(receiver)) return;
    arrivals.note(receiver, String(request.headers['webhook-id']));
    if (samples.length < SAMPLES) samples.push(toSample(request, Buffer.concat(chunks)));
    response.writeHead(204).end();
  });
}

function holds(receiver: number): boolean {
  if (typeof manner === 'string') return manner === 'hold';
  return receiver % manner.holdsEvery === manner.holdsEvery - 1;
}

function toSample({ headers }: IncomingMessage, body: Buffer): ReceivedRequest {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  return {
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: body.toString(),
  };
}

function closeAll(): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
}

const calls = {
  /** Opens so many receivers in place of those before. Gives their origins. */
  async open(count: number): Promise<string[]> {
    closeAll();
    const opened = Array.from({ length: count }, (_, receiver) =>
      createServer((request, response) => receive(receiver, request, response)),
    );
    servers = opened;
    await Promise.all(
      opened.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
    );
    return opened.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  },
  /** Forgets what has arrived, and treats what comes now so. */
  async behave(now: Manner) {
    manner = now;
    arrivals = new Arrivals(servers.length);
    samples = [];
  },
  waitFor: (wanted: { count: number; withinMs: number }) => arrivals.waitFor(wanted),
  summary: async (stretch: { from: number; expected: number }) => arrivals.summary(stretch),
  timesAt: async (receiver: number) => arrivals.timesAt(receiver),
  samples: async () => samples,
};
export type ReceiverCalls = typeof calls;

serveCalls(calls);
