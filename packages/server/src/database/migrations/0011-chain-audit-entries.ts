import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds a table and columns that may be null. Entries that an older version writes, or
 * has written, stay outside the chain; `tps verify` counts them.
 */
export async function chainAuditEntries(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('audit_heads')
    .addColumn('tenant_id', text, (column) => column.primaryKey())
    .addColumn('position', int64, (column) => column.notNull())
    .addColumn('chain_hash', bytes, (column) => column.notNull())
    .addColumn('occurred_at', int64, (column) => column.notNull())
    .addColumn('started_at', int64, (column) => column.notNull())
    .addColumn('purged_position', int64, (column) => column.notNull())
    .addColumn('purged_hash', bytes, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.alterTable('audit_entries').addColumn('position', int64).execute();
  await db.schema.alterTable('audit_entries').addColumn('chain_hash', bytes).execute();
  await sql`create unique index audit_entries_by_position on audit_entries (tenant_id, position)
    where position is not null`.execute(db);
}
