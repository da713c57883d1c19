import type { Sample } from '../figures.ts';
import type { LoadClientCalls } from '../load/load-client.ts';
import type { SendOptions, SendResult } from '../load/send.ts';
import type { CallableProcess } from '../process-calls.ts';
import { peakBytesOf, withCpuSeconds } from '../process-usage.ts';
import type { BenchContext } from '../run-bench.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchStore } from '../stores/bench-store.ts';
import type { TimedWindow } from '../time-each.ts';

/** What every measurement needs that sends events. */
export interface LoadBench extends BenchContext<TimedWindow & { connections: number; devices: number }> {
  readonly client: CallableProcess<LoadClientCalls>;
}

const EVENTS_PER_BATCH = 100;
/** How many events a request has, and how many requests per second are expected before the first are sent. */
const REQUESTS = {
  single: { path: '/events', events: 1, expected: 1000 },
  batch: { path: '/events/batch', events: EVENTS_PER_BATCH, expected: 30 },
} as const;
export type RequestKind = keyof typeof REQUESTS;

/** Signs more requests than the last window took. Running out of requests only ends a window early. */
const MARGIN = 1.3;
/** A warm-up that is shorter by this much is not continued. */
const NEGLIGIBLE_SECONDS = 0.1;

/** Starts the service on a store, and stops it after the work. */
export async function withService<Result>(
  { url }: BenchStore,
  work: (service: ServiceProcess) => Promise<Result>,
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const service = await startService(url, env);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Registers the devices of the first tenant. */
export async function registerDevices(
  { client, options }: LoadBench,
  service: ServiceProcess,
): Promise<{ tenantId: string; credential: string }> {
  const tenant = await service.tenant();
  await client.call('register', { baseUrl: service.baseUrl, ...tenant, devices: options.devices });
  return tenant;
}

/** Sends signed events of the registered devices: a warm-up, then the timed window. */
export async function measureLoad(
  bench: LoadBench,
  { service, storePid, kind }: { service: ServiceProcess; storePid: number | undefined; kind: RequestKind },
): Promise<Sample> {
  const { client, options } = bench;
  const { connections, seconds, warmUp } = options;
  const { path, events, expected } = REQUESTS[kind];
  const target = { origin: service.baseUrl, path, connections, repeat: false };
  const sign = (perSecond: number, forSeconds: number) =>
    client.call('sign', { count: Math.ceil(perSecond * forSeconds * MARGIN), eventsPerRequest: events });

  // The rate grows while the code is compiled, so requests for the whole warm-up cannot be signed at once.
  let rate: number = expected;
  for (let left = warmUp; left > NEGLIGIBLE_SECONDS; ) {
    await sign(rate, left);
    const sent = await client.call('send', { ...target, seconds: left });
    rate = sent.requests / sent.seconds;
    left -= sent.seconds;
  }
  await sign(rate, seconds);
  await service.probe.call('watchLoop');
  const sample = await timed(bench, { ...target, seconds }, { pid: service.pid, storePid, events });
  return { ...sample, loopPauseMs: await service.probe.call('readLongestPause') };
}

/** Sends for one timed window and measures the processes meanwhile. */
export async function timed(
  { client }: { readonly client: Pick<LoadBench['client'], 'call'> },
  options: SendOptions,
  { pid, storePid, events }: { pid: number; storePid?: number | undefined; events: number },
): Promise<Sample> {
  const sendMeasured = () => withCpuSeconds(pid, () => client.call('send', options));
  const withStore = storePid === undefined ? undefined : await withCpuSeconds(storePid, sendMeasured);
  const { result, cpuSeconds } = withStore?.result ?? (await sendMeasured());
  const { requests, seconds, p50Ms, p99Ms, clientCpuSeconds }: SendResult = result;
  const storeSeconds = withStore?.cpuSeconds ?? 0;
  return {
    requestsPerSecond: requests / seconds,
    eventsPerSecond: (requests * events) / seconds,
    p50Ms,
    p99Ms,
    serverCores: cpuSeconds / seconds,
    ...(withStore ? { storeCores: storeSeconds / seconds } : {}),
    clientCores: clientCpuSeconds / seconds,
    cpuMicros: ((cpuSeconds + storeSeconds) * 1e6) / (requests * events),
    peakMiB: peakBytesOf(pid) / 1024 ** 2,
  };
}
