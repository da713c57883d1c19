import { type BenchOptions, ENGINES, type OptionTable, TIMED_WINDOW } from '../options.ts';

export const WEBHOOK_OPTIONS = {
  name: 'webhooks',
  groups: ['latency', 'deliveries', 'hanging'],
  engines: ENGINES,
  settings: {
    ...TIMED_WINDOW,
    deliveries: { env: 'BENCH_DELIVERIES', usual: 20_000, quick: 3000, help: 'deliveries in a queue' },
    manyDeliveries: {
      env: 'BENCH_MANY_DELIVERIES',
      usual: 100_000,
      quick: 10_000,
      help: 'deliveries in the queue to 10 receivers during which memory is measured',
    },
    latencySeconds: {
      env: 'BENCH_LATENCY_SECONDS',
      usual: 10,
      quick: 3,
      help: 'how long events are sent to measure latency, 20 per second',
    },
  },
} as const satisfies OptionTable;

export type WebhookOptions = BenchOptions<typeof WEBHOOK_OPTIONS>;
