import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';
import type { DatabaseLog } from './database.ts';
import type { Engine } from './engine.ts';
import type { Migration } from './migration.ts';
import type { Tables } from './tables/index.ts';

interface MigrateOptions {
  readonly engine: Engine;
  readonly migrations: readonly Migration[];
  readonly logger?: DatabaseLog;
  /** Keeps other processes from migrating until the transaction ends. SQLite's write lock does so by itself. */
  readonly lock?: (tx: Kysely<Tables>) => Promise<void>;
}

/**
 * Applies the pending migrations, each with its record in a separate transaction.
 *
 * @throws Error if the database has a migration that this version does not know
 */
export async function migrate(db: Kysely<Tables>, options: MigrateOptions): Promise<void> {
  const { migrations, logger } = options;
  const applied = await listApplied(db, options);
  refuseUnknown(applied, migrations);
  const isNew = applied.length === 0;
  for (const migration of migrations.filter(({ name }) => !applied.includes(name))) {
    const hasRun = await applyOnce(db, migration, options);
    if (hasRun && !isNew) logger?.info({ migration: migration.name }, 'schema migrated');
  }
  if (isNew) logger?.info({ migrations: migrations.length }, 'schema created');
}

function listApplied(db: Kysely<Tables>, { engine, lock }: MigrateOptions): Promise<string[]> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  return db.transaction().execute(async (tx) => {
    await lock?.(tx);
    await tx.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('applied_at', int64, (column) => column.notNull())
      .modifyEnd(inKeyOrder)
      .execute();
    const rows = await tx.selectFrom('schema_migrations').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  });
}

function applyOnce(
  db: Kysely<Tables>,
  migration: Migration,
  { engine, lock }: MigrateOptions,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lock?.(tx);
    // Another process may have applied it meanwhile.
    const done = await tx
      .selectFrom('schema_migrations')
      .select('name')
      .where('name', '=', migration.name)
      .executeTakeFirst();
    if (done) return false;
    await migration.up(tx as unknown as Kysely<unknown>, engine);
    await tx
      .insertInto('schema_migrations')
      .values({ name: migration.name, applied_at: Date.now() })
      .execute();
    return true;
  });
}

function refuseUnknown(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database was migrated by a newer version of the service (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup from before the upgrade.',
  );
}
