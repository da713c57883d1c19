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
}

/**
 * Applies the pending migrations, each with its record in a separate transaction. The caller makes sure that only one
 * process migrates at a time.
 *
 * @throws Error if the database has a migration that this version does not know
 */
export async function migrate(db: Kysely<Tables>, options: MigrateOptions): Promise<void> {
  const { engine, migrations, logger } = options;
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('applied_at', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
  const applied = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
  refuseUnknown(applied, migrations);
  for (const migration of migrations) {
    const hasRun = await applyOnce(db, migration, engine);
    if (hasRun) logger?.info({ migration: migration.name }, 'schema migrated');
  }
}

function applyOnce(db: Kysely<Tables>, migration: Migration, engine: Engine): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Checked inside the transaction: on SQLite its write lock keeps a second process from applying the same migration.
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

function refuseUnknown(applied: readonly { name: string }[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database was migrated by a newer version of the service (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup from before the upgrade.',
  );
}
