import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createTenancy(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('tenants')
    .addColumn('tenant_id', text, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('rate_limit_per_minute', int64)
    .addColumn('created_at', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('tokens')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('token_id', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('hint', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('expires_at', int64)
    .addColumn('last_used_at', int64)
    .addColumn('revoked_at', int64)
    .addPrimaryKeyConstraint('tokens_pkey', ['tenant_id', 'token_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Not unique, so that the table can be distributed by tenant: 192 random bits do not collide.
  await db.schema.createIndex('tokens_by_hash').on('tokens').column('token_hash').execute();

  await db.schema
    .createTable('audit_entries')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('audit_id', text, (column) => column.notNull())
    .addColumn('occurred_at', int64, (column) => column.notNull())
    .addColumn('actor_type', text, (column) => column.notNull())
    .addColumn('actor_id', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('resource_id', text, (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('request_id', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('fields', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_entries_pkey', ['tenant_id', 'audit_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('audit_entries_by_resource')
    .on('audit_entries')
    .columns(['tenant_id', 'resource_id', 'audit_id'])
    .execute();

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('token_id', text, (column) => column.notNull())
    .addColumn('operation_id', text, (column) => column.notNull())
    .addColumn('idempotency_key', text, (column) => column.notNull())
    .addColumn('request_hash', bytes, (column) => column.notNull())
    .addColumn('status', int64, (column) => column.notNull())
    .addColumn('answer', text, (column) => column.notNull())
    .addColumn('location', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pkey', [
      'tenant_id',
      'token_id',
      'operation_id',
      'idempotency_key',
    ])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('policies')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('policy_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('threat_categories', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('confidence_threshold', columnTypes(engine).float64)
    .addColumn('enabled', int64, (column) => column.notNull())
    .addColumn('version', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('archived_at', int64)
    .addPrimaryKeyConstraint('policies_pkey', ['tenant_id', 'policy_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await sql`create index policies_newest on policies (tenant_id, created_at, policy_id) where archived_at is null`.execute(
    db,
  );
}
