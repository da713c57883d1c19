import { type BenchEngine, ENGINES, STORE_NAMES } from '../options.ts';
import type { TargetResult, Targets } from '../report/targets.ts';

/** The rows of the table. */
export const ROWS = {
  nodeEcho: 'bare node:http echo',
  fastifyEcho: 'Fastify echo with schema',
  single: (engine: BenchEngine) => `POST /events, ${STORE_NAMES[engine]}`,
  batch: (engine: BenchEngine) => `POST /events/batch of 100, ${STORE_NAMES[engine]}`,
  bareInserts: (engine: BenchEngine) => `bare inserts of the same rows, ${STORE_NAMES[engine]}`,
  commit: (engine: BenchEngine) => `one transaction of one row, ${STORE_NAMES[engine]}`,
  feed: (engine: BenchEngine, rows: number, depth: string) =>
    `GET /events?limit=500, ${STORE_NAMES[engine]}, ${rows.toLocaleString('en')} events, ${depth}`,
} as const;

export function judgeRequests({ ratio, atMost }: Targets, feedRows: number): TargetResult[] {
  const { fastifyEcho, single, batch, bareInserts, feed } = ROWS;
  return [
    ...ratio('requestsPerSecond', single('sqlite'), { row: fastifyEcho, min: 0.6 }),
    ...ratio('requestsPerSecond', single('postgres'), { row: fastifyEcho, min: 0.45 }),
    ...ratio('eventsPerSecond', batch('sqlite'), { row: bareInserts('sqlite'), min: 0.6 }),
    ...ratio('eventsPerSecond', batch('postgres'), { row: bareInserts('postgres'), min: 0.5 }),
    ...ENGINES.flatMap((engine) => [
      ...atMost('p99Ms', single(engine), { max: 50, unit: 'ms' }),
      ...atMost('readyMs', single(engine), { max: 1500, unit: 'ms' }),
      ...atMost('peakMiB', single(engine), { max: 250, unit: 'MiB' }),
      ...atMost('peakMiB', batch(engine), { max: 250, unit: 'MiB' }),
      ...atMost('serverMs', feed(engine, 1000, 'whole'), { max: 3, unit: 'ms' }),
      ...atMost('serverMs', feed(engine, feedRows, 'start'), { max: 3, unit: 'ms' }),
      ...atMost('serverMs', feed(engine, feedRows, 'end'), { max: 3, unit: 'ms' }),
    ]),
  ];
}
