import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createDevices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('devices')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('platform', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('public_key', bytes, (column) => column.notNull())
    .addColumn('agent_version', text)
    .addColumn('name', text)
    .addColumn('registered_at', int64, (column) => column.notNull())
    .addColumn('revoked_at', int64)
    .addColumn('version', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('devices_pkey', ['tenant_id', 'device_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('devices_newest')
    .on('devices')
    .columns(['tenant_id', 'registered_at', 'device_id'])
    .execute();

  await db.schema
    .createTable('device_states')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('last_seen_at', int64, (column) => column.notNull())
    .addColumn('sequence', int64)
    .addColumn('event_hash', bytes)
    .addPrimaryKeyConstraint('device_states_pkey', ['tenant_id', 'device_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('request_nonces')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('bucket', int64, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('nonce', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('request_nonces_pkey', ['tenant_id', 'bucket', 'nonce', 'device_id'])
    .modifyEnd(inKeyOrder)
    .execute();
}
