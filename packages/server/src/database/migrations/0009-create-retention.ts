import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds a table, a column and an index that an older version does not need. */
export async function createRetention(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('retention_overrides')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('data_class', text, (column) => column.notNull())
    .addColumn('days', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('retention_overrides_pkey', ['tenant_id', 'data_class'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Finds the incident of a member. Without this index, the check for one row reads the members of all incidents.
  await db.schema
    .createIndex('incident_members_by_member')
    .on('incident_members')
    .columns(['tenant_id', 'kind', 'member_id'])
    .execute();
  await db.schema.alterTable('tenants').addColumn('delete_after', int64).execute();
}
