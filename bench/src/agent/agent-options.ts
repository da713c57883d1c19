import { tmpdir } from 'node:os';
import { readArguments, wholeNumber } from '../read-arguments.ts';

/** What can be measured alone. */
const GROUPS = ['record', 'upload', 'buffer'] as const;
type Group = (typeof GROUPS)[number];

export interface AgentBenchOptions {
  readonly repeats: number;
  /** Length of each timed window. */
  readonly seconds: number;
  /** Events that wait on the device when they are uploaded. */
  readonly uploads: number;
  /** Events that are buffered while memory is watched, and again when the agent is opened. */
  readonly buffered: number;
  readonly groups: readonly Group[];
  /** Where devices keep their events. Must be on a disk: on a file system in memory a flush costs nothing. */
  readonly directory: string;
  /** Write the part of docs/performance.md that is about the agent. */
  readonly write: boolean;
}

export const AGENT_HELP = `Measures the device agent beside bare loops that write and send the same bytes, in one run.

  npm run bench:agent                   everything, 3 rounds of 3 s a row: some 2 minutes
  npm run bench:agent -- --quick        1 round of 1 s a row, 10 000 buffered events: some 20 seconds
  npm run bench:agent -- --only record  only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench:agent -- --write        also writes its part of docs/performance.md

Environment variables:
  BENCH_REPEATS (3)        rounds; each figure is the median of them
  BENCH_SECONDS (3)        length of each timed window
  BENCH_UPLOADS (5000)     events that wait for an upload
  BENCH_BUFFERED (100000)  buffered events while memory is watched
  BENCH_DIR (${tmpdir()})     where the devices keep their events; must be on a disk
`;

/** Reads arguments and environment. Gives undefined when help was asked for. */
export function readAgentOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentBenchOptions | undefined {
  const given = readArguments(args, { groups: GROUPS, engines: [] });
  if (!given) return undefined;
  const { quick, write, groups } = given;
  return {
    repeats: wholeNumber(env, 'BENCH_REPEATS', quick ? 1 : 3),
    seconds: wholeNumber(env, 'BENCH_SECONDS', quick ? 1 : 3),
    uploads: wholeNumber(env, 'BENCH_UPLOADS', quick ? 1000 : 5000),
    buffered: wholeNumber(env, 'BENCH_BUFFERED', quick ? 10_000 : 100_000),
    groups,
    directory: env.BENCH_DIR ?? tmpdir(),
    write,
  };
}
