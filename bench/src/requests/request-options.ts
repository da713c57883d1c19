import { type BenchOptions, ENGINES, type OptionTable, TIMED_WINDOW } from '../options.ts';

export const REQUEST_OPTIONS = {
  name: 'requests',
  groups: ['single', 'reads', 'batch', 'feed', 'commit'],
  engines: ENGINES,
  settings: {
    ...TIMED_WINDOW,
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
