import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCalls } from '../process-calls.ts';
import { Arrivals } from './arrivals.ts';

/** A delivery as it arrived. */
export interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers answer immediately, or leave every delivery unanswered, or every n-th of them does. */
type Behaviour = 'answer' | 'hold' | { readonly holdsEvery: number };

const SAMPLES = 500;
/** Headers that each client sets itself. */
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/** A separate process with minimal webhook receivers, each on its own port. */
let servers: Server[] = [];
let arrivals = new Arrivals(0);
let behaviour: Behaviour = 'hold';
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
  if (typeof behaviour === 'string') return behaviour === 'hold';
  return receiver % behaviour.holdsEvery === behaviour.holdsEvery - 1;
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
  /** Opens this many receivers, closes former ones, and returns the origins. */
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
  /** Sets how receivers behave from now on, and forgets former arrivals. */
  async behave(next: Behaviour) {
    behaviour = next;
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
