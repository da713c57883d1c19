import { type BenchOptions, ENGINES, type OptionTable } from '../options.ts';

const GROUPS = ['single', 'batch', 'feed', 'commit'] as const;

export const REQUEST_OPTIONS = {
  help: `Measures the service beside bare servers and bare stores, in one run.

  npm run bench                      everything, 5 rounds of 4 s per row: about 20 minutes
  npm run bench -- --quick           1 round of 1 s per row, a feed of 100 000 events
  npm run bench -- --only single     only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench -- --engine sqlite   only one store: ${ENGINES.join(', ')}; may be repeated
  npm run bench -- --write           also updates docs/performance.md`,
  groups: GROUPS,
  engines: ENGINES,
  settings: {
    repeats: { env: 'BENCH_REPEATS', usual: 5, quick: 1, help: 'rounds; each figure is their median' },
    seconds: { env: 'BENCH_SECONDS', usual: 4, quick: 1, help: 'length of each timed window' },
    connections: { env: 'BENCH_CONNECTIONS', usual: 64, help: 'keep-alive connections of the client' },
    devices: { env: 'BENCH_DEVICES', usual: 400, help: 'registered devices that send' },
    feedRows: {
      env: 'BENCH_FEED_ROWS',
      usual: 1_000_000,
      quick: 100_000,
      help: 'events in the long feed; 5000000 needs about 12 GB of disk for both stores',
    },
  },
} as const satisfies OptionTable;

export type RequestOptions = BenchOptions<typeof REQUEST_OPTIONS>;
