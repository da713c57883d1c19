import type { Sample } from '../figures.ts';
import type { BenchEngine } from '../options.ts';
import { startCallable } from '../process-calls.ts';
import { peakBytesOf, residentBytesOf, withCores } from '../process-usage.ts';
import type { ServiceProcess } from '../servers/service-process.ts';
import { withStore } from '../stores/bench-store.ts';
import type { BarePostsCalls } from './bare-posts.ts';
import { fillQueue } from './fill-queue.ts';
import { findAnswering, type QueueShape, toConcurrency } from './queue-shape.ts';
import { startPushingService, type WebhookBench } from './webhook-bench.ts';
import type { WebhookOptions } from './webhook-options.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';

const MIB = 1024 ** 2;
/** Draining a queue ends after this many seconds. Deliveries that arrived until then are measured. */
const DRAIN_SECONDS = { usual: { short: 15, long: 100 }, quick: { short: 3, long: 6 } } as const;

/** Drains a queue of deliveries, then posts the same requests to the same receivers with a bare loop. */
export async function measureQueue(
  bench: WebhookBench,
  engine: BenchEngine,
  queue: QueueShape,
): Promise<void> {
  const { receivers, options, recorder } = bench;
  const row = WEBHOOK_ROWS.service(engine, queue);
  await withStore(bench.stores, engine, async (store) => {
    const origins = await receivers.call('open', queue.receivers);
    await receivers.call('behave', 'hold');
    const deliveries = countDeliveries(queue, options);
    console.log(`  ${row}: filling a queue of ${deliveries.toLocaleString('en')} deliveries`);
    const perWebhook = await fillQueue(bench, store.url, { queue, origins, deliveries });

    const { holdsEvery } = queue;
    await receivers.call('behave', holdsEvery === undefined ? 'answer' : { holdsEvery });
    const answering = findAnswering(queue);
    console.log(`  ${row}: draining it`);
    const service = await startPushingService(store.url, bench);
    try {
      const count = perWebhook * answering.length;
      recorder.record(row, await drain(bench, service, { storePid: store.pid, queue, count }));
    } finally {
      await service.stop();
    }
    // Queues that are counted as a whole are compared with each other.
    if (queue.isCountedWhole) return;
    const bare = { origins, concurrency: toConcurrency(queue) };
    recorder.record(WEBHOOK_ROWS.bare(engine, queue), await postBare(bench, bare));
  });
}

/** Queues that are compared with each other have as many deliveries for each receiver. */
function countDeliveries(
  { receivers, isLong, isCountedWhole }: QueueShape,
  { deliveries, manyDeliveries }: WebhookOptions,
): number {
  if (isLong) return manyDeliveries;
  return isCountedWhole ? (deliveries * receivers) / 100 : deliveries;
}

/** Measures how a sender that has just started drains a queue to receivers that are open. */
export async function drain(
  {
    receivers,
    options,
  }: Pick<WebhookBench, 'receivers'> & { readonly options: { readonly isQuick: boolean } },
  { pid }: Pick<ServiceProcess, 'pid'>,
  { storePid, queue, count }: { storePid: number | undefined; queue: QueueShape; count: number },
): Promise<Sample> {
  const endsAt =
    performance.now() +
    DRAIN_SECONDS[options.isQuick ? 'quick' : 'usual'][queue.isLong ? 'long' : 'short'] * 1000;
  const waitFor = (wanted: number) =>
    receivers.call('waitFor', { count: wanted, withinMs: endsAt - performance.now() });
  const firstFifth = Math.floor(count / 5);
  const before = await waitFor(firstFifth);
  const earlyMiB = residentBytesOf(pid) / MIB;
  const pids = {
    serverCores: pid,
    receiverCores: receivers.pid,
    ...(storePid === undefined ? {} : { storeCores: storePid }),
  };
  const startedAt = performance.now();
  const { result: arrived, cores } = await withCores(pids, () => waitFor(count));
  const seconds = (performance.now() - startedAt) / 1000;
  const busyCores = (cores.serverCores ?? 0) + (cores.storeCores ?? 0);
  const lateMiB = residentBytesOf(pid) / MIB;
  if (arrived === 0) throw new Error('no delivery arrived');
  if (arrived < count) console.log(`    ${arrived} of ${count} deliveries arrived in time`);
  const from = queue.isCountedWhole ? 0 : firstFifth;
  const { perSecond, longestPauseMs, repeats } = await receivers.call('summary', {
    from: Math.min(from, arrived - 1),
    expected: count,
  });
  if (repeats > 0) console.log(`    ${repeats} deliveries arrived more than once`);
  return {
    deliveriesPerSecond: perSecond,
    longestPauseMs,
    ...cores,
    ...(arrived > before ? { cpuMicros: (busyCores * seconds * 1e6) / (arrived - before) } : {}),
    peakMiB: peakBytesOf(pid) / MIB,
    earlyMiB,
    lateMiB,
  };
}

async function postBare(
  { receivers, options }: WebhookBench,
  target: { origins: readonly string[]; concurrency: number },
): Promise<Sample> {
  const loop = startCallable<BarePostsCalls>('./webhooks/bare-posts.ts');
  try {
    const requests = await receivers.call('samples');
    const { seconds, warmUp } = options;
    const { result, cores } = await withCores({ receiverCores: receivers.pid }, () =>
      loop.call('run', { ...target, requests, window: { seconds, warmUp } }),
    );
    return {
      deliveriesPerSecond: result.posts / result.seconds,
      serverCores: result.cpuSeconds / result.seconds,
      ...cores,
      cpuMicros: (result.cpuSeconds * 1e6) / result.posts,
      peakMiB: peakBytesOf(loop.pid) / MIB,
    };
  } finally {
    await loop.stop();
  }
}
