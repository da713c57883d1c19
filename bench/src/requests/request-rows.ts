import { type BenchEngine, ENGINES, STORE_NAMES } from '../options.ts';
import type { TargetResult, Targets } from '../report/targets.ts';

/** The rows of the table. */
export const ROWS = {
  nodeEcho: 'bare node:http echo',
  fastifyEcho: 'Fastify echo with schema',
  single: (engine: BenchEngine) => `POST /events, ${STORE_NAMES[engine]}`,
  withAccessToken: (engine: BenchEngine) => `POST /events with an OAuth access token, ${STORE_NAMES[engine]}`,
  reads: (engine: BenchEngine) => `GET /events?limit=100 during ingest, ${STORE_NAMES[engine]}`,
  batch: (engine: BenchEngine) => `POST /events/batch of 100, ${STORE_NAMES[engine]}`,
  bareInserts: (engine: BenchEngine) => `bare inserts of the same rows, ${STORE_NAMES[engine]}`,
  commit: (engine: BenchEngine) => `one transaction of one row, ${STORE_NAMES[engine]}`,
  feed: (engine: BenchEngine, rows: number, depth: string) =>
    `GET /events?limit=500, ${STORE_NAMES[engine]}, ${rows.toLocaleString('en')} events, ${depth}`,
} as const;

/** Targets that differ between the stores: each statement on PostgreSQL is a round trip. */
const TARGETS = {
  sqlite: { rateOfEcho: 0.25, cpuOfEcho: 7, rateOfInserts: 0.35, p99Ms: 30 },
  postgres: { rateOfEcho: 0.18, cpuOfEcho: 10, rateOfInserts: 0.4, p99Ms: 40 },
} as const satisfies Record<BenchEngine, Readonly<Record<string, number>>>;
/** Access tokens of OAuth are read like any other credential. */
const MIN_RATE_WITH_ACCESS_TOKEN = 0.9;
const MAX_LOOP_PAUSE = { max: 20, unit: 'ms' } as const;
const MAX_MEMORY = { max: 250, unit: 'MiB' } as const;

export function judgeRequests(
  { ratio, atMost }: Targets,
  { feedRows }: { feedRows: number },
): TargetResult[] {
  return ENGINES.flatMap((engine) => {
    const { rateOfEcho, cpuOfEcho, rateOfInserts, p99Ms } = TARGETS[engine];
    const [single, batch] = [ROWS.single(engine), ROWS.batch(engine)];
    return [
      ...ratio('requestsPerSecond', single, { row: ROWS.fastifyEcho, min: rateOfEcho }),
      ...ratio('cpuMicros', single, { row: ROWS.fastifyEcho, max: cpuOfEcho }),
      ...atMost('p99Ms', single, { max: p99Ms, unit: 'ms' }),
      ...ratio('requestsPerSecond', ROWS.withAccessToken(engine), {
        row: single,
        min: MIN_RATE_WITH_ACCESS_TOKEN,
      }),
      ...ratio('eventsPerSecond', batch, { row: ROWS.bareInserts(engine), min: rateOfInserts }),
      ...[single, batch].flatMap((row) => atMost('loopPauseMs', row, MAX_LOOP_PAUSE)),
      ...[single, batch].flatMap((row) => atMost('peakMiB', row, MAX_MEMORY)),
      ...atMost('readyMs', single, { max: 1000, unit: 'ms' }),
      ...atMost('p99Ms', ROWS.reads(engine), { max: 20, unit: 'ms' }),
      ...['start', 'end'].flatMap((depth) =>
        atMost('serverMs', ROWS.feed(engine, feedRows, depth), { max: 3, unit: 'ms' }),
      ),
    ];
  });
}
