import type { BenchEngine } from './options.ts';

const STORE = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const satisfies Record<BenchEngine, string>;

/** The rows of the table. */
export const ROWS = {
  nodeEcho: 'bare node:http echo',
  fastifyEcho: 'Fastify echo with schema',
  single: (engine: BenchEngine) => `POST /events, ${STORE[engine]}`,
  batch: (engine: BenchEngine) => `POST /events/batch of 100, ${STORE[engine]}`,
  bareInserts: (engine: BenchEngine) => `bare inserts of the same rows, ${STORE[engine]}`,
  commit: (engine: BenchEngine) => `one transaction of one row, ${STORE[engine]}`,
  feed: (engine: BenchEngine, rows: number, depth: string) =>
    `GET /events?limit=500, ${STORE[engine]}, ${rows.toLocaleString('en')} events, ${depth}`,
} as const;
