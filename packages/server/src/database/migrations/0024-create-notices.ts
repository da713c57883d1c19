import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. An older version creates no notices. */
export async function createNotices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('notice_channels')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('channel_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('address', text)
    .addColumn('url_origin', text)
    .addColumn('sealed_under', text)
    .addColumn('sealed_target', bytes)
    .addColumn('topics', text, (column) => column.notNull())
    .addColumn('min_severity', text, (column) => column.notNull())
    .addColumn('quiet_hours', text)
    .addColumn('max_per_hour', int64, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('version', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('notice_channels_pkey', ['tenant_id', 'channel_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('notices')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('notice_id', text, (column) => column.notNull())
    .addColumn('channel_id', text, (column) => column.notNull())
    .addColumn('cause', text, (column) => column.notNull())
    .addColumn('cause_key', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('resource_id', text)
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('happened_at', int64, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('due_at', int64)
    .addColumn('attempts', int64, (column) => column.notNull())
    .addColumn('started_at', int64)
    .addColumn('last_error', text)
    .addColumn('digest_id', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('sent_at', int64)
    .addPrimaryKeyConstraint('notices_pkey', ['tenant_id', 'notice_id'])
    .addUniqueConstraint('notices_by_cause', ['tenant_id', 'channel_id', 'cause_key'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Leaves out what is settled, so it stays small. Its first column is not the tenant: claims are for all tenants.
  await sql`create index notices_due on notices (due_at) where due_at is not null`.execute(db);
  await sql`create index notices_started on notices (tenant_id, channel_id, started_at)
    where started_at is not null`.execute(db);
  await sql`create index notices_by_resource on notices (tenant_id, resource_id)
    where resource_id is not null`.execute(db);

  await db.schema
    .createTable('protection_states')
    .addColumn('tenant_id', text, (column) => column.primaryKey())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('since', int64, (column) => column.notNull())
    .addColumn('fault_seen_at', int64)
    .modifyEnd(inKeyOrder)
    .execute();
}
