import { type BenchOptions, ENGINES, type OptionTable, TIMED_WINDOW } from '../options.ts';

export const SCENARIO_OPTIONS = {
  name: 'scenarios',
  groups: ['slow-disk', 'large-tenant', 'tenants', 'many-devices'],
  engines: ENGINES,
  isOnRequest: true,
  settings: {
    seconds: TIMED_WINDOW.seconds,
    warmUp: TIMED_WINDOW.warmUp,
    connections: { env: 'BENCH_CONNECTIONS', usual: 64, help: 'keep-alive connections of the client' },
    devices: { env: 'BENCH_DEVICES', usual: 400, help: 'registered devices that send' },
    flushMs: { env: 'BENCH_FLUSH_MS', usual: 5, help: 'how much longer a flush takes on the slow disk' },
    largeFeed: {
      env: 'BENCH_LARGE_FEED',
      usual: 1_000_000,
      quick: 100_000,
      help: 'events of the large tenant',
    },
    manyTenants: { env: 'BENCH_TENANTS', usual: 1000, quick: 100, help: 'the largest number of tenants' },
    manyDevices: {
      env: 'BENCH_MANY_DEVICES',
      usual: 100_000,
      quick: 20_000,
      help: 'registered devices of one tenant that all send',
    },
  },
} as const satisfies OptionTable;

export type ScenarioOptions = BenchOptions<typeof SCENARIO_OPTIONS>;
