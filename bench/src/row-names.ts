import type { BenchEngine } from './options.ts';

/** How people call the engines. */
export const STORE_NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const satisfies Record<
  BenchEngine,
  string
>;

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
