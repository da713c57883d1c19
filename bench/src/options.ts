import { tmpdir } from 'node:os';
import { readArguments, wholeNumber } from './read-arguments.ts';

/** What can be measured alone. Rows that are compared with each other belong to one group. */
const GROUPS = ['single', 'batch', 'feed', 'commit'] as const;
type Group = (typeof GROUPS)[number];

export const ENGINES = ['sqlite', 'postgres'] as const;
export type BenchEngine = (typeof ENGINES)[number];

export interface BenchOptions {
  readonly repeats: number;
  readonly seconds: number;
  readonly connections: number;
  readonly devices: number;
  readonly feedRows: number;
  readonly groups: readonly Group[];
  readonly engines: readonly BenchEngine[];
  /** Where stores are made. Must be on a disk: on a file system in memory a flush costs nothing. */
  readonly directory: string;
  /** Write docs/performance.md. */
  readonly write: boolean;
}

export const HELP = `Measures the service beside bare servers and bare stores, in one run.

  npm run bench                      everything, 5 rounds of 4 s a row: some 20 minutes
  npm run bench -- --quick           1 round of 1 s a row, a feed of 100 000 events
  npm run bench -- --only single     only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench -- --engine sqlite   only one store: ${ENGINES.join(', ')}; may be repeated
  npm run bench -- --write           also writes docs/performance.md

Environment variables:
  BENCH_REPEATS (5)          rounds; each figure is the median of them
  BENCH_SECONDS (4)          length of each timed window
  BENCH_CONNECTIONS (64)     keep-alive connections of the one client
  BENCH_DEVICES (400)        registered devices that send
  BENCH_FEED_ROWS (1000000)  events in the long feed; 5000000 needs some 12 GB of disk for both stores
  BENCH_DIR (${tmpdir()})  where the stores are made; must be on a disk
`;

/** Reads arguments and environment. Gives undefined when help was asked for. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): BenchOptions | undefined {
  const given = readArguments(args, { groups: GROUPS, engines: ENGINES });
  if (!given) return undefined;
  const { quick, write, groups, engines } = given;
  return {
    repeats: wholeNumber(env, 'BENCH_REPEATS', quick ? 1 : 5),
    seconds: wholeNumber(env, 'BENCH_SECONDS', quick ? 1 : 4),
    connections: wholeNumber(env, 'BENCH_CONNECTIONS', 64),
    devices: wholeNumber(env, 'BENCH_DEVICES', 400),
    feedRows: wholeNumber(env, 'BENCH_FEED_ROWS', quick ? 100_000 : 1_000_000),
    groups,
    engines,
    directory: env.BENCH_DIR ?? tmpdir(),
    write,
  };
}
