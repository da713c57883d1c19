import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../servers/service-process.ts';
import { makeTenants } from '../stores/make-tenants.ts';
import type { QueueShape } from './queue-shape.ts';
import { DEVICES, registerWebhooks, startPushingService, type WebhookBench } from './webhook-bench.ts';

/** Of twenty events three are `allow` events, which webhooks do not get. */
const PUSHED_SHARE = 0.85;
const BATCH_SIZES = { few: 20, many: 100 } as const;
/** A held delivery is tried three times, 10 s each: after that the queue would begin to lose what it was given. */
const FILL_WITHIN_SECONDS = 28;
/** The dispatcher looks twice a second for what is still to be written. */
const STILL_MS = 1500;

/**
 * Fills a store with deliveries that wait, by nothing but the service itself: it takes in events for webhooks whose
 * receivers hold what they get, so that each has one request under way and all else queues up; then it is stopped, and
 * gives back even that one. Whoever starts it again sees it drain a queue, with nobody sending events: what is
 * measured is the dispatcher, from rows that are all due. Filling it while receivers answer would measure ingest as
 * well, and a recovery makes rows at the pace of the dispatcher that is to be measured.
 *
 * @returns how many deliveries wait for each webhook
 */
export async function fillQueue(
  bench: WebhookBench,
  url: string,
  { queue, origins, deliveries }: { queue: QueueShape; origins: readonly string[]; deliveries: number },
): Promise<number> {
  const service = await startPushingService(url, bench);
  try {
    const tenants = await makeTenants(url, queue.tenants);
    const share = queue.receivers / queue.tenants;
    const events = deliveries / queue.receivers / PUSHED_SHARE;
    const eventsPerRequest = BATCH_SIZES[events > 1000 ? 'many' : 'few'];
    const count = Math.ceil(events / eventsPerRequest);
    const until = performance.now() + FILL_WITHIN_SECONDS * 1000;
    for (const [index, tenant] of tenants.entries()) {
      await registerWebhooks(service, tenant, origins.slice(index * share, (index + 1) * share));
    }
    for (const tenant of tenants) {
      const { baseUrl } = service;
      await bench.client.call('register', { baseUrl, ...tenant, devices: DEVICES });
      await bench.client.call('sign', { count, eventsPerRequest });
      const seconds = (until - performance.now()) / 1000;
      const target = { origin: baseUrl, path: '/events/batch', connections: 4, repeat: false };
      await bench.client.call('send', { ...target, seconds });
    }
    const perWebhook = (await readFinalDepth(service, until)) / queue.receivers;
    if (!Number.isInteger(perWebhook)) throw new Error('deliveries were given up while the queue was filled');
    return perWebhook;
  } finally {
    await service.stop();
  }
}

/** Of large batches the service writes the deliveries a little after it has answered: waits until no more are added. */
async function readFinalDepth(service: ServiceProcess, until: number): Promise<number> {
  let depth = await readQueueDepth(service);
  for (;;) {
    await sleep(STILL_MS);
    const next = await readQueueDepth(service);
    if (next === depth || performance.now() > until) return next;
    depth = next;
  }
}

async function readQueueDepth({ metricsUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^tps_webhook_queue_depth (\S+)$/m.exec(text)?.[1]);
}
