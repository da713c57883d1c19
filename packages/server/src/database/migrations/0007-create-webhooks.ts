import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createWebhooks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('webhooks')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('severity_filter', text)
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('disabled_reason', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('secret_key_id', text, (column) => column.notNull())
    .addColumn('secret', bytes, (column) => column.notNull())
    .addColumn('previous_secret_key_id', text)
    .addColumn('previous_secret', bytes)
    .addColumn('previous_secret_until', int64)
    .addColumn('held_at', int64)
    .addPrimaryKeyConstraint('webhooks_pkey', ['tenant_id', 'webhook_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('webhook_states')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('last_status', text, (column) => column.notNull())
    .addColumn('last_error', text)
    .addColumn('last_at', int64, (column) => column.notNull())
    .addColumn('last_attempts', int64, (column) => column.notNull())
    .addColumn('failing_since', int64)
    .addPrimaryKeyConstraint('webhook_states_pkey', ['tenant_id', 'webhook_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('webhook_recoveries')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('until_position', int64, (column) => column.notNull())
    .addColumn('after_position', int64, (column) => column.notNull())
    .addColumn('restarts_failed', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_recoveries_pkey', ['tenant_id', 'webhook_id', 'until_position'])
    .modifyEnd(inKeyOrder)
    .execute();

  await createDeliveries(db, engine);
}

async function createDeliveries(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('deliveries')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('delivery_id', text, (column) => column.notNull())
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('test_body', text)
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('due_at', int64)
    .addColumn('leased_by', text)
    .addColumn('claims', int64, (column) => column.notNull())
    .addColumn('attempts', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('last_attempt_at', int64)
    .addColumn('last_status', int64)
    .addColumn('last_error', text)
    .addColumn('last_response', text)
    .addColumn('last_duration_ms', int64)
    .addColumn('dead_at', int64)
    .addPrimaryKeyConstraint('deliveries_pkey', ['tenant_id', 'webhook_id', 'delivery_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  // These partial indexes leave out what was delivered, so they stay small.
  await sql`create index deliveries_due on deliveries (tenant_id, webhook_id, due_at)
    where due_at is not null`.execute(db);
  await sql`create index deliveries_dead on deliveries (tenant_id, delivery_id)
    where dead_at is not null`.execute(db);
  await sql`create index deliveries_dead_by_webhook on deliveries (tenant_id, webhook_id, delivery_id)
    where dead_at is not null`.execute(db);
  await sql`create index deliveries_dead_by_time on deliveries (tenant_id, webhook_id, dead_at)
    where dead_at is not null`.execute(db);
  await sql`create index deliveries_failed on deliveries (tenant_id, webhook_id, delivery_id)
    where status = 'failed'`.execute(db);
}
