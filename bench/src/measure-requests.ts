import type { LoadClientCalls } from './load/load-client.ts';
import type { SendOptions, SendResult } from './load/send.ts';
import type { BenchEngine, BenchOptions } from './options.ts';
import { type CallableProcess, startCallable } from './process-calls.ts';
import { peakBytesOf, withCpuSeconds } from './process-usage.ts';
import type { Recorder, Sample } from './recorder.ts';
import { ROWS } from './row-names.ts';
import type { FastifyEchoCalls } from './servers/fastify-echo.ts';
import type { NodeEchoCalls } from './servers/node-http-echo.ts';
import { type ServiceProcess, startService, tenantOf } from './servers/service-process.ts';
import type { BareLoopCalls } from './stores/bare-loop.ts';
import type { BenchStores } from './stores/bench-store.ts';

const EVENTS_PER_BATCH = 100;
/** Sent before the timed window, so that the code is compiled and the device keys are read. */
const WARM_UP = { single: 4000, batch: 120 } as const;
/** Signed beyond what the last window took: who runs out of requests ends the window early, which is no harm. */
const MARGIN = 1.3;

/** What every measurement of requests needs. */
export interface Bench {
  readonly options: BenchOptions;
  readonly recorder: Recorder;
  readonly stores: BenchStores;
  readonly client: CallableProcess<LoadClientCalls>;
}

/** Both echoes: what the machine, the client and the framework allow at most. */
export async function measureEchoes(bench: Bench): Promise<void> {
  const node = startCallable<NodeEchoCalls>('./servers/node-http-echo.js');
  await measureEcho(bench, ROWS.nodeEcho, node);
  const fastify = startCallable<FastifyEchoCalls>('./servers/fastify-echo.js');
  await measureEcho(bench, ROWS.fastifyEcho, fastify);
}

async function measureEcho(
  bench: Bench,
  row: string,
  server: CallableProcess<NodeEchoCalls | FastifyEchoCalls>,
): Promise<void> {
  const { client, options, recorder } = bench;
  try {
    const origin = await server.call('listen');
    await client.call('prepareEcho');
    const target = { origin, path: '/echo', connections: options.connections, repeat: true };
    await client.call('send', { ...target, seconds: 1 });
    recorder.record(row, await timed(bench, { ...target, seconds: options.seconds }, { pid: server.pid }));
  } finally {
    await server.stop();
  }
}

/** Signed events, one in each request. */
export async function measureSingles(bench: Bench, engine: BenchEngine): Promise<void> {
  const store = await bench.stores.create(engine);
  try {
    const service = await startService(store.url);
    try {
      const sample = await measureService(bench, service, { engine, eventsPerRequest: 1 });
      bench.recorder.record(ROWS.single(engine), { ...sample, readyMs: service.readyMs });
    } finally {
      await service.stop();
    }
  } finally {
    await store.drop();
  }
}

/** Signed batches and, with the rows that came of them, the loop that only inserts. */
export async function measureBatches(bench: Bench, engine: BenchEngine): Promise<void> {
  const store = await bench.stores.create(engine);
  try {
    const service = await startService(store.url);
    try {
      const sample = await measureService(bench, service, { engine, eventsPerRequest: EVENTS_PER_BATCH });
      bench.recorder.record(ROWS.batch(engine), sample);
    } finally {
      await service.stop();
    }
    await measureBareInserts(bench, engine, store.url);
  } finally {
    await store.drop();
  }
}

async function measureBareInserts(bench: Bench, engine: BenchEngine, sampleUrl: string): Promise<void> {
  const store = await bench.stores.create(engine);
  const loop = startCallable<BareLoopCalls>('./stores/bare-loop.js');
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
  bench: Bench,
  service: ServiceProcess,
  { engine, eventsPerRequest }: { engine: BenchEngine; eventsPerRequest: number },
): Promise<Sample> {
  const { client, options } = bench;
  const { baseUrl, credential } = service;
  if (credential === undefined) throw new Error('the service showed no credential');
  const tenantId = await tenantOf(service, credential);
  await client.call('register', { baseUrl, credential, tenantId, devices: options.devices });

  const path = eventsPerRequest === 1 ? '/events' : '/events/batch';
  const target = { origin: baseUrl, path, connections: options.connections, repeat: false };
  await client.call('sign', {
    count: WARM_UP[eventsPerRequest === 1 ? 'single' : 'batch'],
    eventsPerRequest,
  });
  const warmUp = await client.call('send', { ...target, seconds: 60 });
  const row = eventsPerRequest === 1 ? ROWS.single(engine) : ROWS.batch(engine);
  const expected = Math.max(bench.recorder.median(row, 'requestsPerSecond') ?? 0, rateOf(warmUp));
  await client.call('sign', { count: Math.ceil(expected * options.seconds * MARGIN), eventsPerRequest });
  const sample = await timed(
    bench,
    { ...target, seconds: options.seconds },
    { pid: service.pid, storePid: engine === 'postgres' ? bench.stores.postgresPid() : undefined },
  );
  return { ...sample, eventsPerSecond: (sample.requestsPerSecond ?? 0) * eventsPerRequest };
}

async function timed(
  { client }: Bench,
  options: SendOptions,
  { pid, storePid }: { pid: number; storePid?: number | undefined },
): Promise<Sample> {
  const sendMeasured = () => withCpuSeconds(pid, () => client.call('send', options));
  const ofStore = storePid === undefined ? undefined : await withCpuSeconds(storePid, sendMeasured);
  const { result, cpuSeconds } = ofStore?.result ?? (await sendMeasured());
  return {
    requestsPerSecond: rateOf(result),
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverCores: cpuSeconds / result.seconds,
    ...(ofStore ? { storeCores: ofStore.cpuSeconds / result.seconds } : {}),
    clientCores: result.clientCpuSeconds / result.seconds,
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  };
}

function rateOf({ requests, seconds }: SendResult): number {
  return requests / seconds;
}
