import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds tables that no older version uses, and columns that it leaves at their default.
 * The index is empty, and reads the deliveries once. Nodes of an older version do not report their keys: a webhook whose
 * secret only such a node can open is disabled. Its dead letters stay, and a new secret enables it again.
 */
export async function replayDeadLetters(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .alterTable('webhooks')
    .addColumn('auto_replay', int64, (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable('deliveries').addColumn('replay', text).execute();
  await sql`create index deliveries_replay on deliveries (tenant_id, webhook_id, delivery_id)
    where replay is not null`.execute(db);

  await db.schema
    .createTable('webhook_circuits')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('webhook_id', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('due_at', int64, (column) => column.notNull())
    .addColumn('opened_at', int64, (column) => column.notNull())
    .addColumn('failed_probes', int64, (column) => column.notNull())
    .addColumn('replayed', int64, (column) => column.notNull())
    .addColumn('batch_size', int64, (column) => column.notNull())
    .addColumn('batch_from', text)
    .addColumn('batch_until', text)
    .addPrimaryKeyConstraint('webhook_circuits_pkey', ['tenant_id', 'webhook_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('secret_key_holders')
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('node_id', text, (column) => column.notNull())
    .addColumn('held_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('secret_key_holders_pkey', ['key_id', 'node_id'])
    .modifyEnd(inKeyOrder)
    .execute();
}
