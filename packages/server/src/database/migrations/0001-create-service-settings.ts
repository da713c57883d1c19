import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds a table that no older version uses. */
export async function createServiceSettings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('service_settings')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
}
