import { Kysely, sql } from 'kysely';
import type { ReadQueries } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { PostgresDriver, postgresDialect } from './postgres/postgres-driver.ts';
import { createPool } from './postgres/postgres-pool.ts';
import { createPostgresReadQueries } from './postgres/postgres-queries.ts';
import { toSqlitePath } from './sqlite/sqlite-connection.ts';
import { SqliteDriver, sqliteDialect } from './sqlite/sqlite-driver.ts';
import { findDamage, findWriteObstacle, openSqliteToRead } from './sqlite/sqlite-file.ts';
import { createSqliteReadQueries } from './sqlite/sqlite-queries.ts';
import type { Tables } from './tables/index.ts';

/** The errors of SQLite and PostgreSQL for a table that does not exist. */
const IS_TABLE_MISSING = /^no such table|relation "\w+" does not exist/;

/** A store opened read-only: neither data nor schema is changed. */
export interface InspectedStore {
  readonly read: ReadQueries;
  /** Lists the damage that the engine finds. Empty for PostgreSQL, which checks its own files. */
  findDamage(): string[];
  /** Whether nothing was ever created in it. */
  isEmpty(): Promise<boolean>;
  /** Returns why a service could not write to the store, or undefined if it could. Does not write. */
  findWriteObstacle(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Opens a store read-only, even beside a running service.
 * @throws Error if it does not exist or does not belong to this service
 */
export function inspectStore(url: string): InspectedStore {
  return url.startsWith('sqlite:') ? inspectSqlite(toSqlitePath(url)) : inspectPostgres(url);
}

/** Does the same for a file, such as a backup. */
export function inspectSqlite(path: string): InspectedStore {
  const handle = openSqliteToRead(path);
  const driver = new SqliteDriver(handle, { begin: 'begin', turnMs: Number.POSITIVE_INFINITY });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) });
  return {
    read: createSqliteReadQueries(db),
    findDamage: () => findDamage(handle),
    isEmpty: async () => {
      const any = sql`select 1 from sqlite_schema limit 1`;
      return (await any.execute(db)).rows.length === 0;
    },
    findWriteObstacle: async () => findWriteObstacle(path),
    close: () => driver.close(),
  };
}

function inspectPostgres(url: string): InspectedStore {
  const driver = new PostgresDriver(createPool(url, { size: 1 }));
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) });
  return {
    read: createPostgresReadQueries(db),
    findDamage: () => [],
    isEmpty: async () => {
      const any = sql`select 1 from pg_tables where schemaname = any(current_schemas(false)) limit 1`;
      return (await any.execute(db)).rows.length === 0;
    },
    findWriteObstacle: async () => {
      const setting = sql<{ value: string }>`select current_setting('transaction_read_only') as value`;
      const isReadOnly = (await setting.execute(db)).rows[0]?.value === 'on';
      return isReadOnly ? 'the database is read-only: it is a standby, or set to read-only' : undefined;
    },
    close: () => driver.destroy(),
  };
}

/** The migrations of a store, compared with those of this version. */
export interface SchemaState {
  /** The last migration that was applied. */
  readonly version: string | undefined;
  /** Applied migrations that this version does not know: a newer version created the store. */
  readonly unknown: readonly string[];
  /** Migrations that this version will apply when it opens the store. */
  readonly pending: readonly string[];
}

/** Reads the state of the schema; undefined if no migration was ever applied: another program's store, or an empty one. */
export async function readSchemaState({ db }: ReadQueries): Promise<SchemaState | undefined> {
  const known = MIGRATIONS.map(({ name }) => name);
  try {
    const rows = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
    const applied = rows.map(({ name }) => name);
    return {
      version: applied.at(-1),
      unknown: applied.filter((name) => !known.includes(name)),
      pending: known.filter((name) => !applied.includes(name)),
    };
  } catch (error) {
    if (error instanceof Error && IS_TABLE_MISSING.test(error.message)) return undefined;
    throw error;
  }
}
