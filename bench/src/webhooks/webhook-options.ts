import { tmpdir } from 'node:os';
import { type BenchEngine, ENGINES } from '../options.ts';
import { readArguments, wholeNumber } from '../read-arguments.ts';

/** What can be measured alone. */
const GROUPS = ['latency', 'deliveries', 'hanging'] as const;
type Group = (typeof GROUPS)[number];

export interface WebhookBenchOptions {
  readonly repeats: number;
  /** Deliveries in a queue that is drained. */
  readonly deliveries: number;
  /** The same for the queue during which memory is watched. */
  readonly manyDeliveries: number;
  /** How long events trickle in. */
  readonly latencySeconds: number;
  /** Draining a queue ends after this, wherever it is: what has arrived until then is measured. */
  readonly drainSeconds: { readonly short: number; readonly long: number };
  /** Length of the timed window of the bare loop. */
  readonly bareSeconds: number;
  /** Leaves some queues out. */
  readonly isQuick: boolean;
  readonly groups: readonly Group[];
  readonly engines: readonly BenchEngine[];
  /** Where stores are made. Must be on a disk. */
  readonly directory: string;
  /** Write the part of docs/performance.md that is about webhooks. */
  readonly write: boolean;
}

export const WEBHOOK_HELP = `Measures deliveries to webhooks beside a bare loop of posts, in one run.

  npm run bench:webhooks                      everything: some 6 minutes, at most 10
  npm run bench:webhooks -- --quick           fewer and shorter queues: some 80 seconds
  npm run bench:webhooks -- --only latency    only some rows: ${GROUPS.join(', ')}; may be repeated
  npm run bench:webhooks -- --engine sqlite   only one store: ${ENGINES.join(', ')}; may be repeated
  npm run bench:webhooks -- --write           also writes its part of docs/performance.md

Examples:
  npm run bench:webhooks -- --quick --engine sqlite --only deliveries
  BENCH_REPEATS=3 npm run bench:webhooks -- --engine postgres --write

Environment variables:
  BENCH_REPEATS (1)               rounds; each figure is the median of them
  BENCH_DELIVERIES (20000)        deliveries in a queue
  BENCH_MANY_DELIVERIES (100000)  deliveries in the queue to 10 receivers during which memory is watched
  BENCH_LATENCY_SECONDS (20)      how long events trickle in, 20 a second
  BENCH_DIR (${tmpdir()})            where the stores are made; must be on a disk
`;

/** Reads arguments and environment. Gives undefined when help was asked for. */
export function readWebhookOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): WebhookBenchOptions | undefined {
  const given = readArguments(args, { groups: GROUPS, engines: ENGINES });
  if (!given) return undefined;
  const { quick, write, groups, engines } = given;
  return {
    repeats: wholeNumber(env, 'BENCH_REPEATS', 1),
    deliveries: wholeNumber(env, 'BENCH_DELIVERIES', quick ? 3000 : 20_000),
    manyDeliveries: wholeNumber(env, 'BENCH_MANY_DELIVERIES', quick ? 10_000 : 100_000),
    latencySeconds: wholeNumber(env, 'BENCH_LATENCY_SECONDS', quick ? 3 : 20),
    drainSeconds: quick ? { short: 3, long: 6 } : { short: 15, long: 100 },
    bareSeconds: quick ? 1 : 4,
    isQuick: quick,
    groups,
    engines,
    directory: env.BENCH_DIR ?? tmpdir(),
    write,
  };
}
