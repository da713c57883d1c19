import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createFeed(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('feed_heads')
    .addColumn('tenant_id', text, (column) => column.primaryKey())
    .addColumn('position', int64, (column) => column.notNull())
    .addColumn('chain_hash', bytes, (column) => column.notNull())
    .addColumn('received_at', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('events')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('position', int64, (column) => column.notNull())
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('received_at', int64, (column) => column.notNull())
    .addColumn('timestamp', int64, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('threat_category', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('threat_id', text)
    .addColumn('alert_id', text)
    .addColumn('corrects_event_id', text)
    .addColumn('device_chain', text, (column) => column.notNull())
    .addColumn('event_hash', bytes, (column) => column.notNull())
    .addColumn('chain_hash', bytes, (column) => column.notNull())
    .addColumn('signed_digest', bytes, (column) => column.notNull())
    // Last, because it is the widest: reading a filter column does not read past it.
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('events_pkey', ['tenant_id', 'position'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('events_by_id')
    .on('events')
    .columns(['tenant_id', 'event_id'])
    .unique()
    .execute();
  await sql`create index events_by_threat on events (tenant_id, threat_id) where threat_id is not null`.execute(
    db,
  );
  await sql`create index events_by_corrected on events (tenant_id, corrects_event_id, position)
    where corrects_event_id is not null`.execute(db);
}
