import { percentile } from '../figures.ts';
import type { BenchEngine } from '../options.ts';
import { DEVICES, registerWebhooks, startPushingService, type WebhookBench } from './webhook-bench.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';

const PER_SECOND = 20;
/** Events at the start are not counted: they compile the code and open connections. */
const WARM_UP_SECONDS = 2;
const LAST_ARRIVAL_WITHIN_MS = 10_000;

/** Sends events at a pace at which nothing queues, and measures the time until a receiver has read each delivery. */
export async function measureLatency(bench: WebhookBench, engine: BenchEngine): Promise<void> {
  const { client, receivers, options, recorder } = bench;
  const store = await bench.stores.create(engine);
  try {
    const service = await startPushingService(store.url, bench);
    try {
      const { baseUrl } = service;
      const tenant = await service.tenant();
      await client.call('register', { baseUrl, ...tenant, devices: DEVICES });
      await registerWebhooks(service, tenant, await receivers.call('open', 1));
      await receivers.call('behave', 'answer');
      await client.call('sign', {
        count: (options.latencySeconds + WARM_UP_SECONDS) * PER_SECOND,
        eventsPerRequest: 1,
      });
      const sent = await client.call('trickle', { origin: baseUrl, perSecond: PER_SECOND });
      await receivers.call('waitFor', { count: sent.length, withinMs: LAST_ARRIVAL_WITHIN_MS });
      const arrivedAtMs = new Map(await receivers.call('timesAt', 0));
      const counted = sent.slice(
        Math.floor((sent.length * WARM_UP_SECONDS) / (options.latencySeconds + WARM_UP_SECONDS)),
      );
      const timesSince = (event: 'sentAtMs' | 'answeredAtMs') =>
        counted.map(({ eventId, ...times }) => (arrivedAtMs.get(eventId) ?? Number.NaN) - times[event]);
      recorder.record(WEBHOOK_ROWS.fromAnswer(engine), toPercentiles(timesSince('answeredAtMs')));
      recorder.record(WEBHOOK_ROWS.fromRequest(engine), toPercentiles(timesSince('sentAtMs')));
    } finally {
      await service.stop();
    }
  } finally {
    await store.drop();
  }
}

/** @throws Error for a time that is not a number: an event did not arrive */
function toPercentiles(timesMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const missing = timesMs.filter(Number.isNaN).length;
  if (missing > 0) throw new Error(`${missing} of ${timesMs.length} events have not arrived`);
  const sorted = Float64Array.from(timesMs).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
