import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds a column with a default. An older node rejects the new member of the settings, does
 * not count addresses as verified, and leaves the column as it is when it changes other settings of a provider.
 */
export async function addSignOnOptions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { int64 } = columnTypes(engine);
  await db.schema
    .alterTable('sign_on_providers')
    .addColumn('trusts_email', int64, (column) => column.notNull().defaultTo(0))
    .execute();
}
