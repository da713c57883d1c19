import type { Sample } from '../figures.ts';
import type { LoadClientCalls } from '../load/load-client.ts';
import type { SendOptions, SendResult } from '../load/send.ts';
import type { BenchEngine } from '../options.ts';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import type { BenchContext } from '../run-bench.ts';
import type { FastifyEchoCalls } from '../servers/fastify-echo.ts';
import type { NodeEchoCalls } from '../servers/node-http-echo.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BareLoopCalls } from '../stores/bare-loop.ts';
import { timeOneCommit } from '../stores/one-commit.ts';
import type { RequestOptions } from './request-options.ts';
import { ROWS } from './request-rows.ts';

const EVENTS_PER_BATCH = 100;
/** Requests sent before the timed window: they compile the code and load the keys of devices. */
const WARM_UP = { single: 4000, batch: 120 } as const;
/** Signs more requests than the last window took. Running out of requests only ends the window early. */
const MARGIN = 1.3;

export interface RequestBench extends BenchContext<RequestOptions> {
  readonly client: CallableProcess<LoadClientCalls>;
}

interface EchoServer {
  readonly server: { readonly pid: number; stop(): Promise<void> };
  /** Returns the origin. */
  listen(): Promise<string>;
}

/** Both echo servers: the maximum that machine, client and framework allow. */
export async function measureEchoes(bench: RequestBench): Promise<void> {
  const node = startCallable<NodeEchoCalls>('./servers/node-http-echo.ts');
  await measureEcho(bench, ROWS.nodeEcho, { server: node, listen: () => node.call('listen') });
  const fastify = startCallable<FastifyEchoCalls>('./servers/fastify-echo.ts');
  await measureEcho(bench, ROWS.fastifyEcho, {
    server: fastify,
    listen: () => fastify.call('listen', 'event'),
  });
}

async function measureEcho(bench: RequestBench, row: string, echo: EchoServer): Promise<void> {
  const { client, options, recorder } = bench;
  try {
    const origin = await echo.listen();
    await client.call('prepareEcho');
    const target = { origin, path: '/echo', connections: options.connections, repeat: true };
    await client.call('send', { ...target, seconds: 1 });
    recorder.record(
      row,
      await timed(bench, { ...target, seconds: options.seconds }, { pid: echo.server.pid }),
    );
  } finally {
    await echo.server.stop();
  }
}

/** Signed events, one per request. */
export async function measureSingles(bench: RequestBench, engine: BenchEngine): Promise<void> {
  const store = await bench.stores.create(engine);
  try {
    const { sample, readyMs } = await measureService(bench, store.url, { engine, eventsPerRequest: 1 });
    bench.recorder.record(ROWS.single(engine), { ...sample, readyMs });
  } finally {
    await store.drop();
  }
}

/** Signed batches, and the loop that only inserts the rows that resulted from them. */
export async function measureBatches(bench: RequestBench, engine: BenchEngine): Promise<void> {
  const store = await bench.stores.create(engine);
  try {
    const eventsPerRequest = EVENTS_PER_BATCH;
    const { sample } = await measureService(bench, store.url, { engine, eventsPerRequest });
    bench.recorder.record(ROWS.batch(engine), sample);
    await measureBareInserts(bench, engine, store.url);
  } finally {
    await store.drop();
  }
}

async function measureBareInserts(
  bench: RequestBench,
  engine: BenchEngine,
  sampleUrl: string,
): Promise<void> {
  const store = await bench.stores.create(engine);
  const loop = startCallable<BareLoopCalls>('./stores/bare-loop.ts');
  try {
    const { seconds } = bench.options;
    const result = await loop.call('run', { sampleUrl, url: store.url, seconds });
    bench.recorder.record(ROWS.bareInserts(engine), {
      eventsPerSecond: result.events / result.seconds,
      serverCores: result.cpuSeconds / result.seconds,
      peakMiB: peakBytesOf(loop.pid) / 1024 ** 2,
    });
  } finally {
    await loop.stop();
    await store.drop();
  }
}

async function measureService(
  bench: RequestBench,
  storeUrl: string,
  load: { engine: BenchEngine; eventsPerRequest: number },
): Promise<{ sample: Sample; readyMs: number }> {
  const service = await startService(storeUrl);
  try {
    return { sample: await sendLoad(bench, service, load), readyMs: service.readyMs };
  } finally {
    await service.stop();
  }
}

async function sendLoad(
  bench: RequestBench,
  service: ServiceProcess,
  { engine, eventsPerRequest }: { engine: BenchEngine; eventsPerRequest: number },
): Promise<Sample> {
  const { client, options, recorder, stores } = bench;
  const { devices, connections, seconds } = options;
  const { baseUrl } = service;
  await client.call('register', { baseUrl, ...(await service.tenant()), devices });

  const isSingle = eventsPerRequest === 1;
  const path = isSingle ? '/events' : '/events/batch';
  const target = { origin: baseUrl, path, connections, repeat: false };
  await client.call('sign', { count: WARM_UP[isSingle ? 'single' : 'batch'], eventsPerRequest });
  const warmUp = await client.call('send', { ...target, seconds: 60 });
  const row = isSingle ? ROWS.single(engine) : ROWS.batch(engine);
  const expected = Math.max(recorder.median(row, 'requestsPerSecond') ?? 0, toRate(warmUp));
  await client.call('sign', { count: Math.ceil(expected * seconds * MARGIN), eventsPerRequest });
  const storePid = engine === 'postgres' ? stores.postgresPid() : undefined;
  const sample = await timed(bench, { ...target, seconds }, { pid: service.pid, storePid });
  return { ...sample, eventsPerSecond: (sample.requestsPerSecond ?? 0) * eventsPerRequest };
}

async function timed(
  { client }: RequestBench,
  options: SendOptions,
  { pid, storePid }: { pid: number; storePid?: number | undefined },
): Promise<Sample> {
  const sendMeasured = () => withCpuSeconds(pid, () => client.call('send', options));
  const withStore = storePid === undefined ? undefined : await withCpuSeconds(storePid, sendMeasured);
  const { result, cpuSeconds } = withStore?.result ?? (await sendMeasured());
  return {
    requestsPerSecond: toRate(result),
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverCores: cpuSeconds / result.seconds,
    ...(withStore ? { storeCores: withStore.cpuSeconds / result.seconds } : {}),
    clientCores: result.clientCpuSeconds / result.seconds,
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  };
}

/** One transaction after the other, each writing one row: the minimum time of every answer to a write. */
export async function measureCommits(bench: RequestBench, engine: BenchEngine): Promise<void> {
  const { options, recorder, stores } = bench;
  const store = await stores.create(engine);
  try {
    const { perSecond, p50Ms, p99Ms } = await timeOneCommit(store.url, options.seconds);
    recorder.record(ROWS.commit(engine), { requestsPerSecond: perSecond, p50Ms, p99Ms });
  } finally {
    await store.drop();
  }
}

function toRate({ requests, seconds }: SendResult): number {
  return requests / seconds;
}
