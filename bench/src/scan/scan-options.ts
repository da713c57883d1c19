import { tmpdir } from 'node:os';
import { readArguments, wholeNumber } from '../read-arguments.ts';

/** What can be measured alone. */
const GROUPS = ['text', 'url', 'file'] as const;
export type ScanGroup = (typeof GROUPS)[number];

export interface ScanBenchOptions {
  readonly repeats: number;
  /** Length of each timed window. */
  readonly seconds: number;
  readonly connections: number;
  readonly groups: readonly ScanGroup[];
  /** Where the store lies. Must be on a disk. */
  readonly directory: string;
}

export const SCAN_HELP = `Measures POST /scan beside a Fastify echo of the same bodies, in one run.

  npm run bench:scan                  everything, 3 rounds of 3 s a row: some 30 seconds
  npm run bench:scan -- --quick       1 round of 1 s a row
  npm run bench:scan -- --only text   only some rows: ${GROUPS.join(', ')}; may be repeated

Environment variables:
  BENCH_REPEATS (3)       rounds; each figure is the median of them
  BENCH_SECONDS (3)       length of each timed window
  BENCH_CONNECTIONS (16)  connections, one request at a time on each
  BENCH_DIR (${tmpdir()})    where the store lies; must be on a disk
`;

/** Reads arguments and environment. Gives undefined when help was asked for. */
export function readScanOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ScanBenchOptions | undefined {
  const given = readArguments(args, { groups: GROUPS, engines: [] });
  if (!given) return undefined;
  const { quick, groups } = given;
  return {
    repeats: wholeNumber(env, 'BENCH_REPEATS', quick ? 1 : 3),
    seconds: wholeNumber(env, 'BENCH_SECONDS', quick ? 1 : 3),
    connections: wholeNumber(env, 'BENCH_CONNECTIONS', 16),
    groups,
    directory: env.BENCH_DIR ?? tmpdir(),
  };
}
