import { join } from 'node:path';
import { findFreePort } from '@tps/testing/network';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import { timed } from '../requests/service-load.ts';
import { withStore } from '../stores/bench-store.ts';
import type { ParseCalls, PeerBench, RestateCalls } from './peer-bench.ts';
import type { PeerDevice, RequestsToSign } from './peer-client.ts';
import { PEER_ROWS } from './peer-rows.ts';

/** More requests per second than any peer serves while its code is compiled. */
const EXPECTED_PER_SECOND = 3000;
/** Signs more requests than the warm-up took. Running out of requests only ends the window early. */
const MARGIN = 1.5;

/** The pool of the service has as many connections. */
export const POOL_SIZE = 10;

type Load = Omit<RequestsToSign, 'count'>;

interface LoadTarget {
  readonly origin: string;
  readonly load: Load;
  /** Where to send, when it is not the signed path. */
  readonly sendTo?: string;
  readonly pid: number;
  readonly storePid?: number | undefined;
}

const PARSE_LOAD: Load = { path: '/classes/Event', headers: { 'x-parse-application-id': 'bench' } };
const RESTATE_LOAD: Load = { path: '/Events/ingest', headers: {}, idHeader: 'idempotency-key' };

/** Parse Server on PostgreSQL, in three steps towards the work that the service does. */
export async function measureParse(bench: PeerBench): Promise<void> {
  const server = startCallable<ParseCalls>('../peers/parse-server.mjs');
  await withStore(bench.stores, 'postgres', async ({ url, pid: storePid }) => {
    const port = await findFreePort();
    const devices = await createDevices(bench);
    const origin = await server.call('listen', { databaseUrl: url, port, poolSize: POOL_SIZE, devices });
    const target = { origin, load: PARSE_LOAD, pid: server.pid, storePid };
    for (const [work, row] of [
      ['plain', PEER_ROWS.parsePlain],
      ['verified', PEER_ROWS.parseVerified],
      ['derived', PEER_ROWS.parseDerived],
    ] as const) {
      await server.call('setWork', work);
      await measureLoad(bench, row, target);
    }
  }).finally(() => server.stop());
}

/** Restate with its own store. The answer to a call comes after the handler, the answer to `/send` before it. */
export async function measureRestate(bench: PeerBench): Promise<void> {
  await withRestate(bench, async (server, origin) => {
    const target = { origin, load: RESTATE_LOAD, pid: server.pid };
    await measureLoad(bench, PEER_ROWS.restateCall, target);
    await measureLoad(bench, PEER_ROWS.restateSend, { ...target, sendTo: '/Events/ingest/send' });
  });
}

/** Starts Restate on an empty directory. The process of its handlers is the parent of the server. */
export async function withRestate(
  bench: PeerBench,
  work: (server: CallableProcess<RestateCalls>, origin: string) => Promise<void>,
): Promise<void> {
  const server = startCallable<RestateCalls>('../peers/restate.mjs');
  try {
    const ports = {
      ingress: await findFreePort(),
      admin: await findFreePort(),
      node: await findFreePort(),
      handlers: await findFreePort(),
    };
    const directory = join(bench.stores.directory, `restate-${server.pid}`);
    await work(
      server,
      await server.call('listen', { directory, ports, devices: await createDevices(bench) }),
    );
  } finally {
    await server.stop();
  }
}

function createDevices({ peerClient, options }: PeerBench): Promise<PeerDevice[]> {
  return peerClient.call('createDevices', options.devices);
}

async function measureLoad(
  { peerClient, options, recorder }: PeerBench,
  row: string,
  { origin, load, sendTo = load.path, pid, storePid }: LoadTarget,
): Promise<void> {
  const { connections, seconds, warmUp } = options;
  const target = { origin, path: sendTo, connections, repeat: false };
  const sign = (perSecond: number, forSeconds: number) =>
    peerClient.call('sign', { ...load, count: Math.ceil(perSecond * forSeconds * MARGIN) });
  if (row !== PEER_ROWS.parsePlain) await expectRefusal(peerClient, { origin, ...load });
  await sign(EXPECTED_PER_SECOND, warmUp);
  const { requests, seconds: elapsed } = await peerClient.call('send', { ...target, seconds: warmUp });
  await sign(requests / elapsed, seconds);
  recorder.record(
    row,
    await timed({ client: peerClient }, { ...target, seconds }, { pid, storePid, events: 1 }),
  );
}

/** Without this, a peer that does not verify would look fast. */
async function expectRefusal(
  peerClient: PeerBench['peerClient'],
  request: Load & { origin: string },
): Promise<void> {
  const status = await peerClient.call('sendForged', request);
  if (status < 400 || status > 499) throw new Error(`${request.path} answered ${status} to a forged event`);
}
