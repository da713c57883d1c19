import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import * as circuitStore from './circuit/circuit-store.ts';
import * as queueStore from './deliveries/queue-store.ts';
import * as recoveryStore from './deliveries/recovery-store.ts';
import type { ObservedAttempt } from './dispatch/dispatcher.ts';

/** Adds the metrics of webhooks. Returns what observes the attempts of this process. */
export function registerWebhookMetrics(
  metrics: Metrics,
  { database: { read }, clock }: { database: Database; clock: Clock },
): (attempt: ObservedAttempt) => void {
  metrics.sample({
    name: 'webhooks',
    maxAgeMs: 0,
    gauges: {
      depth: {
        name: 'tps_webhook_queue_depth',
        help: 'Webhook deliveries that are waiting or under way. At most 100000 are counted.',
      },
      age: {
        name: 'tps_webhook_queue_oldest_age_seconds',
        help: 'Age of the webhook delivery that has waited longest.',
      },
      circuits: {
        name: 'tps_webhook_open_circuits',
        help: 'Webhooks whose receiver does not respond and is probed, or whose dead letters are being replayed.',
      },
      dead: {
        name: 'tps_webhook_dead_letters',
        help: 'Webhook deliveries that have failed permanently. At most 100000 are counted.',
      },
      unchecked: {
        name: 'tps_webhook_recovery_positions',
        help: 'Feed positions that are still to be checked for events that webhooks missed while they were disabled.',
      },
    },
    async read() {
      const oldestMs = await queueStore.findOldestPendingAt(read, clock.now());
      return {
        depth: await queueStore.countPending(read),
        age: oldestMs === undefined ? 0 : Math.max(0, clock.now() - oldestMs) / 1000,
        circuits: await circuitStore.countOpen(read),
        dead: await queueStore.countDead(read),
        unchecked: await recoveryStore.countUnchecked(read),
      };
    },
  });
  const attempts = metrics.histogram(
    {
      name: 'tps_webhook_attempt_duration_seconds',
      help: 'Duration of webhook delivery attempts by outcome: delivered, retry or failed.',
      labels: ['outcome'],
    },
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  for (const outcome of ['delivered', 'retry', 'failed']) attempts.zero({ outcome });
  return ({ outcome, seconds }) => attempts.observe({ outcome }, seconds);
}
