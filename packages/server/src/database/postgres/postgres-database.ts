import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Database, DatabaseOptions, Queries, ThreadDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import type { Tables } from '../tables/index.ts';
import { findConnectionRisk } from './connection-risk.ts';
import { PostgresDriver, postgresDialect } from './postgres-driver.ts';
import { isLockConflict, isWorthRepeating } from './postgres-failures.ts';
import { createPool } from './postgres-pool.ts';
import { createPostgresReadQueries } from './postgres-queries.ts';
import { inTransaction, type PostgresConnections } from './postgres-transaction.ts';

const DEFAULT_POOL_SIZE = 10;
const ATTEMPTS = 3;
/** The writer thread stores events of many tenants together. A tenant whose feed is locked must not delay the others. */
const LOCK_WITHIN_MS = 1_000;

/**
 * A migration waits this long for a table that a running node uses, then gives way: what it has locked meanwhile delays that
 * node. Less than the node waits itself (`LOCK_WITHIN_MS`), and than PostgreSQL takes to end a deadlock (1 s).
 */
const MIGRATION_LOCK_WITHIN_MS = 300;
/** How long a migration tries to lock its tables together. */
const MIGRATION_WITHIN_MS = 120_000;
const NEVER_LOCKED =
  'The schema was not migrated: other nodes keep its tables in use. Stop them, then start this one again.';

/** The advisory lock's number. Nothing else in the database uses it: the letters "tps_". */
const MIGRATION_LOCK = 0x7470735f;

interface PostgresOptions extends DatabaseOptions {
  readonly migrations: readonly Migration[];
}

/** Opens a pool of connections. Any number of nodes may share one database. */
export async function openPostgres(
  url: string,
  options: PostgresOptions,
): Promise<Omit<Database, 'assertWritable'>> {
  await migrateUnderLock(url, options);
  const risk = findConnectionRisk(url);
  if (risk !== undefined) options.logger?.warn({}, risk);
  const pool = createPool(url, { size: options.poolSize ?? DEFAULT_POOL_SIZE, logger: options.logger });
  const driver = new PostgresDriver(pool);
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
  options: Parameters<Database['transaction']>[1] = {},
): Promise<R> {
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

/** The lock belongs to the connection: a node that dies while it migrates does not block the others. */
async function migrateUnderLock(url: string, options: PostgresOptions): Promise<void> {
  const pool = createPool(url, { size: 1, isForMigrations: true, logger: options.logger });
  const db = new Kysely<Tables>({ dialect: postgresDialect(new PostgresDriver(pool)) });
  try {
    await db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
      await sql`set lock_timeout = ${sql.lit(MIGRATION_LOCK_WITHIN_MS)}`.execute(connection);
      await untilLocked(() => migrate(connection, { ...options, engine: 'postgres' }), options);
    });
  } finally {
    await db.destroy();
  }
}

/** Repeats migrations that did not get their locks beside running nodes. What was migrated before stays. */
async function untilLocked(work: () => Promise<void>, { logger }: DatabaseOptions): Promise<void> {
  const endMs = performance.now() + MIGRATION_WITHIN_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (performance.now() > endMs) throw new Error(NEVER_LOCKED, { cause: error });
      logger?.warn({}, 'schema migration repeated: a running node uses its tables');
      // The requests that wait behind it go first.
      await sleep(randomInt(100, 300));
    }
  }
}
