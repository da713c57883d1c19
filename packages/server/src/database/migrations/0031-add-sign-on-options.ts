import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds columns with a default. An older node rejects the new members of the settings, does
 * not use them, and leaves the columns as they are when it changes other settings of a provider.
 */
export async function addSignOnOptions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64 } = columnTypes(engine);
  await db.schema
    .alterTable('sign_on_providers')
    .addColumn('trusts_email', int64, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('sign_on_providers')
    .addColumn('extra_scopes', text, (column) => column.notNull().defaultTo('[]'))
    .execute();
}
