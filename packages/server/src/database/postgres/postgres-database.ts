import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Database, DatabaseOptions, Queries, ThreadDatabase } from '../database.ts';
import type { Migration } from '../migration.ts';
import { afterCommit, type TransactionResult } from '../run-to-end.ts';
import type { Tables } from '../tables/index.ts';
import { findConnectionRisk } from './connection-risk.ts';
import { PostgresDriver, postgresDialect } from './postgres-driver.ts';
import { isWorthRepeating } from './postgres-failures.ts';
import { migratePostgres } from './postgres-migration.ts';
import { createPool } from './postgres-pool.ts';
import { createPostgresReadQueries } from './postgres-queries.ts';
import { inTransaction, type PostgresConnections } from './postgres-transaction.ts';

const DEFAULT_POOL_SIZE = 10;
const ATTEMPTS = 3;
/** The writer thread stores events of many tenants together. A tenant whose feed is locked must not delay the others. */
const LOCK_WITHIN_MS = 1_000;

interface PostgresOptions extends DatabaseOptions {
  readonly migrations: readonly Migration[];
}

/** Opens a pool of connections. Any number of nodes may share one database. */
export async function openPostgres(
  url: string,
  options: PostgresOptions,
): Promise<Omit<Database, 'assertWritable'>> {
  await migratePostgres(url, options);
  const risk = findConnectionRisk(url);
  if (risk !== undefined) options.logger?.warn({}, risk);
  const connected = createPool(url, {
    size: options.poolSize ?? DEFAULT_POOL_SIZE,
    logger: options.logger,
  });
  const { pool } = connected;
  const driver = new PostgresDriver(connected);
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) });
  const connections = { driver, db, texts: new Map() };
  return {
    engine: 'postgres',
    read: createPostgresReadQueries(db),
    transaction: (work, options) => transact(connections, work, options),
    inTurn: (work) => work(),
    async ping() {
      await sql`select 1`.execute(db);
    },
    connectionUse() {
      const { totalCount, idleCount, waitingCount } = pool;
      return { limit: pool.options.max, inUse: totalCount - idleCount, waiting: waitingCount };
    },
    async measureSize() {
      const query = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
      const { rows } = await query.execute(db);
      return { bytes: Number(rows[0]?.bytes), disk: undefined };
    },
    close: () => driver.destroy(),
  };
}

async function transact<R>(
  connections: PostgresConnections,
  work: (tx: Queries) => Promise<R>,
  options?: Parameters<Database['transaction']>[1],
): Promise<R> {
  const finished = await attempt(connections, work, options);
  return afterCommit(finished, {
    engine: 'postgres',
    transaction: (next, how) => transact(connections, next, how),
  });
}

async function attempt<R>(
  connections: PostgresConnections,
  work: (tx: Queries) => Promise<R>,
  options: Parameters<Database['transaction']>[1] = {},
): Promise<TransactionResult<R>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(connections, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRepeating(error, options)) throw error;
      // Random, so that two transactions that deadlocked do not deadlock again.
      await sleep(randomInt(20, 100) * attempt);
    }
  }
}

/** Opens separate connections for a thread that only writes. The schema must be up to date. */
export function openPostgresInThread(url: string, { poolSize }: { poolSize: number }): ThreadDatabase {
  const driver = new PostgresDriver(createPool(url, { size: poolSize, lockTimeoutMs: LOCK_WITHIN_MS }));
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) });
  const connections = { driver, db, texts: new Map() };
  return {
    engine: 'postgres',
    read: createPostgresReadQueries(db),
    transaction: (work, options) => transact(connections, work, options),
    close: () => driver.destroy(),
  };
}
