import { type BenchOptions, type OptionTable, TIMED_WINDOW } from '../options.ts';

export const PEER_OPTIONS = {
  name: 'peers',
  groups: ['parse', 'restate', 'deliveries'],
  engines: [],
  settings: {
    ...TIMED_WINDOW,
    repeats: { ...TIMED_WINDOW.repeats, usual: 3 },
    connections: { env: 'BENCH_CONNECTIONS', usual: 64, help: 'keep-alive connections of the client' },
    devices: { env: 'BENCH_DEVICES', usual: 400, help: 'devices that send' },
    deliveries: { env: 'BENCH_DELIVERIES', usual: 10_000, quick: 2000, help: 'deliveries in a queue' },
  },
} as const satisfies OptionTable;

export type PeerOptions = BenchOptions<typeof PEER_OPTIONS>;
