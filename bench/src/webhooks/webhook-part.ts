import { randomBytes } from 'node:crypto';
import type { LoadClientCalls } from '../load/load-client.ts';
import { startCallable } from '../process-calls.ts';
import { createPart, repeatRounds } from '../run-bench.ts';
import { measureLatency } from './measure-latency.ts';
import { measureQueue } from './measure-queue.ts';
import { QUEUES } from './queue-shape.ts';
import type { ReceiverCalls } from './receivers.ts';
import { WEBHOOK_OPTIONS, type WebhookOptions } from './webhook-options.ts';
import { judgeWebhooks } from './webhook-rows.ts';

/** Webhook deliveries beside a bare loop of posts. */
export const WEBHOOK_PART = createPart({
  table: WEBHOOK_OPTIONS,
  async measure(context) {
    const client = startCallable<LoadClientCalls>('./load/load-client.ts');
    context.atEnd(() => client.stop());
    const receivers = startCallable<ReceiverCalls>('./webhooks/receivers.ts');
    context.atEnd(() => receivers.stop());
    const bench = { ...context, client, receivers, masterKey: randomBytes(32).toString('base64') };
    const { groups, engines, repeats, isQuick } = context.options;
    const queues = [
      ...(groups.includes('deliveries') ? QUEUES.deliveries : []),
      ...(groups.includes('hanging') ? QUEUES.hanging : []),
    ].filter(({ isExtra }) => !(isQuick && isExtra));
    await repeatRounds(repeats, async () => {
      for (const engine of engines) {
        if (groups.includes('latency')) await measureLatency(bench, engine);
        for (const queue of queues) await measureQueue(bench, engine, queue);
      }
    });
  },
  judge: judgeWebhooks,
  page: { part: 'webhooks', subject: 'webhooks', command: 'npm run bench:webhooks', explain },
});

function explain({ repeats, deliveries, manyDeliveries, seconds, warmUp }: WebhookOptions) {
  const rounds = repeats === 1 ? 'one round' : `the median of ${repeats} rounds`;
  return {
    summary: `Every figure is ${rounds}. A ratio is the median of the ratios within each round. Service, store,
      receivers and client share the cores.`,
    method: [
      `The receivers are \`node:http\` servers on separate ports, all in one process. They read a request to its end
        and answer 204.`,
      `Latency: 20 events per second are sent to \`POST /events\`, and one webhook receives them. "Sent" is when the
        client sends the event, "accepted" is when it has received the 201, "received" is when the receiver has read
        the whole delivery. All processes read the same monotonic clock.`,
      `Rate: the service accepts events while the receivers do not answer, so deliveries queue up. The service is
        then stopped, and the receivers start to answer. The service is started again and drains the queue, without
        new events. The queue has ${deliveries.toLocaleString('en')} deliveries, or
        ${manyDeliveries.toLocaleString('en')} with 10 receivers. The first fifth of the deliveries is the warm-up.
        The longest pause is the longest time between two deliveries.`,
      `Hanging receivers never answer, from the first moment. Deliveries to the other receivers are counted, and
        compared with a queue that has only those. Both queues are counted from the first delivery, because hanging
        receivers delay the others most at the start.`,
      `Bare posts: a process repeats the requests of the service, with the same headers and bodies, to the same
        receivers, for ${seconds} s after a warm-up of ${warmUp} s. It uses undici and the concurrency limits of the
        service (8 per webhook, 64 per tenant, 256 in total). It has no store and computes no signatures.`,
      `CPU per delivery is the time of the service and its store together. Memory is the resident size of the
        service after the first fifth of the queue, and at its end.`,
    ],
  };
}
