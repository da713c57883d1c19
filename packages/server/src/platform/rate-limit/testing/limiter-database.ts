import { useFixture } from '@tps/testing/fixture';
import { startEmbeddedPostgres } from '@tps/testing/store';
import pg from 'pg';
import { beforeEach } from 'vitest';
import { SHARED_LIMITER_DDL } from '../shared-limiter-ddl.ts';
import { SHARES_DDL } from '../shares-ddl.ts';

/** A database with the tables of the shared limiter. */
export interface LimiterDatabase {
  readonly pool: pg.Pool;
  /** The connections of another node. */
  newPool(): pg.Pool;
  /** Makes every stored time older by this many seconds: the clock of the database itself cannot be set. */
  letPass(seconds: number): Promise<void>;
  /** Returns how many admissions of a key are stored. */
  storedCount(key: string): Promise<number>;
}

const TIMES = {
  rate_limit_keys: ['touched_at'],
  rate_limit_admissions: ['admitted_at'],
  rate_limit_parts: ['used_at', 'shared_until'],
};

/** Starts a database for the tests of a file. Each test begins with empty tables. */
export function useLimiterDatabase(): LimiterDatabase {
  const database = useFixture(startLimiterDatabase, { close: (started) => started.stop() });
  beforeEach(async () => {
    await database.pool.query(`TRUNCATE ${Object.keys(TIMES).join(', ')}`);
  });
  return database;
}

async function startLimiterDatabase(): Promise<LimiterDatabase & { stop(): Promise<void> }> {
  const server = await startEmbeddedPostgres();
  const newPool = () => {
    const made = new pg.Pool({ connectionString: server.url, max: 4 });
    made.on('error', () => undefined);
    return made;
  };
  const pool = newPool();
  for (const statement of [...SHARED_LIMITER_DDL, ...SHARES_DDL]) await pool.query(statement);
  return {
    pool,
    newPool,
    async letPass(seconds) {
      for (const [table, columns] of Object.entries(TIMES)) {
        const changes = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
        await pool.query(`UPDATE ${table} SET ${changes.join(', ')}`, [seconds]);
      }
    },
    async storedCount(key) {
      const query = 'SELECT sum(count)::int AS n FROM rate_limit_admissions WHERE key = $1';
      const { rows } = await pool.query(query, [key]);
      return rows[0].n ?? 0;
    },
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}
