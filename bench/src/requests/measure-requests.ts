import type { BenchEngine } from '../options.ts';
import { startCallable } from '../process-calls.ts';
import { peakBytesOf } from '../process-usage.ts';
import type { FastifyEchoCalls } from '../servers/fastify-echo.ts';
import type { NodeEchoCalls } from '../servers/node-http-echo.ts';
import type { BareLoopCalls } from '../stores/bare-loop.ts';
import { withStore } from '../stores/bench-store.ts';
import { timeOneCommit } from '../stores/one-commit.ts';
import { getAccessToken } from './access-token.ts';
import { measureReads } from './measure-reads.ts';
import type { RequestOptions } from './request-options.ts';
import { ROWS } from './request-rows.ts';
import { type LoadBench, measureLoad, registerDevices, timed, withService } from './service-load.ts';

export type RequestBench = LoadBench & { readonly options: RequestOptions };

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

async function measureEcho(bench: RequestBench, row: string, { server, listen }: EchoServer): Promise<void> {
  const { connections, seconds, warmUp } = bench.options;
  try {
    const target = { origin: await listen(), path: '/echo', connections, repeat: true };
    await bench.client.call('prepareEcho');
    await bench.client.call('send', { ...target, seconds: warmUp });
    const { eventsPerSecond: _, ...sample } = await timed(
      bench,
      { ...target, seconds },
      { pid: server.pid, events: 1 },
    );
    bench.recorder.record(row, sample);
  } finally {
    await server.stop();
  }
}

/**
 * Signed events, one per request, with a bearer token and with an access token of OAuth; then pages of the feed while events
 * arrive.
 */
export async function measureSingles(bench: RequestBench, engine: BenchEngine): Promise<void> {
  const { client, options, recorder, stores } = bench;
  await withStore(stores, engine, async (store) => {
    await withService(store, async (service) => {
      const tenant = await registerDevices(bench, service);
      const { credential } = tenant;
      const load = { service, storePid: store.pid, kind: 'single' } as const;
      const sample = await measureLoad(bench, load);
      recorder.record(ROWS.single(engine), { ...sample, readyMs: service.readyMs });
      if (options.groups.includes('single')) {
        const target = { ...tenant, baseUrl: service.baseUrl, devices: options.devices };
        await client.call('adopt', { ...target, credential: await getAccessToken(target) });
        recorder.record(ROWS.withAccessToken(engine), await measureLoad(bench, load));
        await client.call('adopt', target);
      }
      if (!options.groups.includes('reads')) return;
      const fullRate = sample.requestsPerSecond ?? 0;
      await measureReads(bench, { service, credential }, { row: ROWS.reads(engine), fullRate });
    });
  });
}

/** Signed batches, and the loop that only inserts the rows that resulted from them. */
export async function measureBatches(bench: RequestBench, engine: BenchEngine): Promise<void> {
  await withStore(bench.stores, engine, async (store) => {
    await withService(store, async (service) => {
      await registerDevices(bench, service);
      const sample = await measureLoad(bench, { service, storePid: store.pid, kind: 'batch' });
      bench.recorder.record(ROWS.batch(engine), sample);
    });
    await measureBareInserts(bench, engine, store.url);
  });
}

async function measureBareInserts(
  { options, recorder, stores }: RequestBench,
  engine: BenchEngine,
  sampleUrl: string,
): Promise<void> {
  const loop = startCallable<BareLoopCalls>('./stores/bare-loop.ts');
  try {
    await withStore(stores, engine, async ({ url }) => {
      const { seconds, warmUp } = options;
      const result = await loop.call('run', { sampleUrl, url, window: { seconds, warmUp } });
      recorder.record(ROWS.bareInserts(engine), {
        eventsPerSecond: result.events / result.seconds,
        serverCores: result.cpuSeconds / result.seconds,
        peakMiB: peakBytesOf(loop.pid) / 1024 ** 2,
      });
    });
  } finally {
    await loop.stop();
  }
}

/** One transaction after the other, each writing one row: the minimum time of every answer to a write. */
export async function measureCommits(
  { options, recorder, stores }: RequestBench,
  engine: BenchEngine,
): Promise<void> {
  await withStore(stores, engine, async ({ url }) => {
    const { perSecond, p50Ms, p99Ms } = await timeOneCommit(url, options);
    recorder.record(ROWS.commit(engine), { requestsPerSecond: perSecond, p50Ms, p99Ms });
  });
}
