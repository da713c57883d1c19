import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../servers/service-process.ts';
import { createTenants } from '../stores/create-tenants.ts';
import type { QueueShape } from './queue-shape.ts';
import { DEVICES, registerWebhooks, startPushingService, type WebhookBench } from './webhook-bench.ts';

/** Three out of twenty events are `allow` events, which webhooks do not receive. */
const PUSHED_SHARE = 0.85;
const BATCH_SIZES = { few: 20, many: 100 } as const;
/** A delivery without an answer is tried three times, 10 s each. After that the queue would lose deliveries. */
const FILL_WITHIN_SECONDS = 28;
/** The dispatcher looks twice a second for deliveries that are not written yet. */
const STILL_MS = 1500;

/**
 * Fills a store with waiting deliveries, using only the service: it accepts events for webhooks whose receivers do not
 * answer, so that each has one open request and the rest queues up. Then the service is stopped, which releases that
 * one too. After the next start it drains a queue of due rows without new events, so only the dispatcher is measured.
 * Filling the queue while receivers answer would measure ingest as well; a recovery creates rows at the pace of the
 * dispatcher itself.
 *
 * @returns the number of waiting deliveries per webhook
 */
export async function fillQueue(
  bench: WebhookBench,
  url: string,
  { queue, origins, deliveries }: { queue: QueueShape; origins: readonly string[]; deliveries: number },
): Promise<number> {
  const service = await startPushingService(url, bench);
  try {
    const tenants = await createTenants(url, queue.tenants);
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
    if (!Number.isInteger(perWebhook))
      throw new Error('deliveries were abandoned while the queue was filled');
    return perWebhook;
  } finally {
    await service.stop();
  }
}

/** The service writes the deliveries of large batches after its answer: waits until no more are added. */
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
