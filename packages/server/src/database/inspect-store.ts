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

/** What SQLite and PostgreSQL say of a table that is not there. */
const IS_TABLE_MISSING = /^no such table|relation "\w+" does not exist/;

/** A store that is only looked at: nothing in it is changed, its schema neither. */
export interface InspectedStore {
  readonly read: ReadQueries;
  /** What the engine itself finds wrong. PostgreSQL watches over its own files. */
  findDamage(): string[];
  /** Why a service could not write to it, without writing; undefined when nothing stands against it. */
  findWriteObstacle(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Opens a store to look at it, also beside a running service.
 * @throws Error when it is not there, or is no store of this service
 */
export function inspectStore(url: string): InspectedStore {
  return url.startsWith('sqlite:') ? inspectSqlite(toSqlitePath(url)) : inspectPostgres(url);
}

/** The same for a file, such as a backup. */
export function inspectSqlite(path: string): InspectedStore {
  const handle = openSqliteToRead(path);
  const driver = new SqliteDriver(handle, 'begin');
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) });
  return {
    read: createSqliteReadQueries(db),
    findDamage: () => findDamage(handle),
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
    findWriteObstacle: async () => {
      const setting = sql<{ value: string }>`select current_setting('transaction_read_only') as value`;
      const isReadOnly = (await setting.execute(db)).rows[0]?.value === 'on';
      return isReadOnly ? 'the database takes no changes: it is a standby, or set to read only' : undefined;
    },
    close: () => driver.destroy(),
  };
}

/** How far the schema of a store has come. */
export interface SchemaState {
  /** The last migration that has run. */
  readonly version: string | undefined;
  /** Those that have run and that this version does not know: a newer one made the store. */
  readonly unknown: readonly string[];
  /** Those that this version runs when it opens the store. */
  readonly pending: readonly string[];
}

/** Reads how far the schema has come. Undefined when none has ever run: the store is somebody else's, or empty. */
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
