import type { BenchOptions, OptionTable } from '../options.ts';

const GROUPS = ['record', 'upload', 'buffer'] as const;

export const AGENT_OPTIONS = {
  help: `Measures the device agent beside bare loops that write and send the same bytes, in one run.

  npm run bench:agent                   everything, 3 rounds of 3 s per row: about 2 minutes
  npm run bench:agent -- --quick        1 round of 1 s per row, 10 000 buffered events: about 20 seconds
  npm run bench:agent -- --only record  only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench:agent -- --write        also updates its part of docs/performance.md`,
  groups: GROUPS,
  engines: [],
  settings: {
    repeats: { env: 'BENCH_REPEATS', usual: 3, quick: 1, help: 'rounds; each figure is their median' },
    seconds: { env: 'BENCH_SECONDS', usual: 3, quick: 1, help: 'length of each timed window' },
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
