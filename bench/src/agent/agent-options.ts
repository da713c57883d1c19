import { type BenchOptions, type OptionTable, TIMED_WINDOW } from '../options.ts';

export const AGENT_OPTIONS = {
  name: 'agent',
  groups: ['record', 'upload', 'buffer'],
  engines: [],
  settings: {
    ...TIMED_WINDOW,
    uploads: { env: 'BENCH_UPLOADS', usual: 5000, quick: 1000, help: 'events that wait for an upload' },
    buffered: {
      env: 'BENCH_BUFFERED',
      usual: 100_000,
      quick: 10_000,
      help: 'buffered events while memory is measured',
    },
  },
} as const satisfies OptionTable;
export type AgentOptions = BenchOptions<typeof AGENT_OPTIONS>;
