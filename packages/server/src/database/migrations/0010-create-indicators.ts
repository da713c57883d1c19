import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createIndicators(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, float64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('indicator_heads')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('version', int64, (column) => column.notNull())
    .addColumn('indicators', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('indicator_heads_pkey', ['tenant_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('indicator_sources')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('import_id', text)
    .addColumn('import_number', int64, (column) => column.notNull())
    .addColumn('kept_since', int64, (column) => column.notNull())
    .addColumn('swept_before', int64, (column) => column.notNull())
    .addColumn('imported', int64, (column) => column.notNull())
    .addColumn('indicators', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('indicator_sources_pkey', ['tenant_id', 'source'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('indicators')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('digest', bytes, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('category', text, (column) => column.notNull())
    .addColumn('threat_type', text, (column) => column.notNull())
    .addColumn('confidence', float64, (column) => column.notNull())
    .addColumn('label', text)
    .addColumn('dual_use', int64, (column) => column.notNull())
    .addColumn('valid_from', int64)
    .addColumn('valid_until', int64)
    .addColumn('import_number', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('indicators_pkey', ['tenant_id', 'source', 'type', 'digest'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('indicators_by_digest')
    .on('indicators')
    .columns(['tenant_id', 'digest'])
    .execute();
}
