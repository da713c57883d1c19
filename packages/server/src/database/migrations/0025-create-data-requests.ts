import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Adds tables that no older version uses. Beside an older version, do not delete data on request: an older node stores an
 * erased event again when its device repeats it.
 */
export async function createDataRequests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('data_requests')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('request_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('subject_type', text, (column) => column.notNull())
    .addColumn('subject', text)
    .addColumn('until_position', int64, (column) => column.notNull())
    .addColumn('stage', int64, (column) => column.notNull())
    .addColumn('stage_key', text)
    .addColumn('pass', int64, (column) => column.notNull())
    .addColumn('found_in_pass', int64, (column) => column.notNull())
    .addColumn('records', text, (column) => column.notNull())
    .addColumn('proof', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('completed_at', int64)
    .addColumn('expires_at', int64)
    .addPrimaryKeyConstraint('data_requests_pkey', ['tenant_id', 'request_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Only what the service still has to do, in all tenants: few rows.
  await sql`create index data_requests_running on data_requests (status, tenant_id, request_id)
    where subject is not null`.execute(db);

  await db.schema
    .createTable('erased_events')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('position', int64, (column) => column.notNull())
    .addColumn('event_key', text, (column) => column.notNull())
    .addColumn('received_at', int64, (column) => column.notNull())
    .addColumn('event_hash', bytes, (column) => column.notNull())
    .addColumn('chain_hash', bytes, (column) => column.notNull())
    .addColumn('request_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('erased_events_pkey', ['tenant_id', 'position'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('erased_events_by_key')
    .on('erased_events')
    .columns(['tenant_id', 'event_key'])
    .unique()
    .execute();
  await db.schema
    .createIndex('erased_events_by_request')
    .on('erased_events')
    .columns(['tenant_id', 'request_id', 'position'])
    .execute();
}
