import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds a table that no older version reads. If an older node lets someone adopt a holding
 * meanwhile, its earlier owners stay, and the holding ends with them too.
 */
export async function createEarlierOwners(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('earlier_owners')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('holding_id', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.notNull())
    .addColumn('via_client_id', text, (column) => column.notNull())
    .addColumn('owned_since', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('earlier_owners_pkey', [
      'tenant_id',
      'kind',
      'holding_id',
      'owner_id',
      'via_client_id',
    ])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('earlier_owners_by_owner')
    .on('earlier_owners')
    .columns(['tenant_id', 'owner_id'])
    .execute();
  await sql`create index earlier_owners_by_client on earlier_owners (tenant_id, via_client_id) where via_client_id <> ''`.execute(
    db,
  );
}
