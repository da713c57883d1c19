import { type BenchOptions, ENGINES, type OptionTable } from '../options.ts';

const GROUPS = ['latency', 'deliveries', 'hanging'] as const;

export const WEBHOOK_OPTIONS = {
  help: `Measures webhook deliveries beside a bare loop of posts, in one run.

  npm run bench:webhooks                      everything: about 6 minutes, at most 10
  npm run bench:webhooks -- --quick           fewer and shorter queues: about 80 seconds
  npm run bench:webhooks -- --only latency    only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench:webhooks -- --engine sqlite   only one store: ${ENGINES.join(', ')}; may be repeated
  npm run bench:webhooks -- --write           also updates its part of docs/performance.md

Examples:
  npm run bench:webhooks -- --quick --engine sqlite --only deliveries
  BENCH_REPEATS=3 npm run bench:webhooks -- --engine postgres --write`,
  groups: GROUPS,
  engines: ENGINES,
  settings: {
    repeats: { env: 'BENCH_REPEATS', usual: 1, help: 'rounds; each figure is their median' },
    deliveries: { env: 'BENCH_DELIVERIES', usual: 20_000, quick: 3000, help: 'deliveries in a queue' },
    manyDeliveries: {
      env: 'BENCH_MANY_DELIVERIES',
      usual: 100_000,
      quick: 10_000,
      help: 'deliveries in the queue to 10 receivers during which memory is measured',
    },
    latencySeconds: {
      env: 'BENCH_LATENCY_SECONDS',
      usual: 20,
      quick: 3,
      help: 'how long events are sent, 20 per second',
    },
  },
} as const satisfies OptionTable;

export type WebhookOptions = BenchOptions<typeof WEBHOOK_OPTIONS>;
