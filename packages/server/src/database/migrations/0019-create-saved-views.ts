import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds a table and columns that no older version uses, and an index. An older version
 * does not carry out a requested deletion; the newer one does so within the hour.
 */
export async function createSavedViews(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('saved_views')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('view_id', text, (column) => column.notNull())
    .addColumn('owner_type', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('page', text, (column) => column.notNull())
    .addColumn('query', text, (column) => column.notNull())
    .addColumn('shared', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('saved_views_pkey', ['tenant_id', 'view_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.alterTable('tenants').addColumn('deletion_due_at', int64).execute();
  await db.schema.alterTable('tenants').addColumn('deletion_requested_by', text).execute();
  await db.schema
    .createIndex('audit_entries_by_actor')
    .on('audit_entries')
    .columns(['tenant_id', 'actor_id', 'audit_id'])
    .execute();
}
