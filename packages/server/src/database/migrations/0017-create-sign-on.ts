import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createSignOn(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('sign_on_providers')
    .addColumn('tenant_id', text, (column) => column.primaryKey())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('client_id', text, (column) => column.notNull())
    .addColumn('sealed_under', text)
    .addColumn('sealed_secret', bytes)
    .addColumn('allowed_domains', text, (column) => column.notNull())
    .addColumn('role_claim', text)
    .addColumn('role_map', text, (column) => column.notNull())
    .addColumn('default_role', text)
    .addColumn('create_members', int64, (column) => column.notNull())
    .addColumn('is_required', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('updated_by', text, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('sign_on_identities')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('used_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_on_identities_pkey', ['tenant_id', 'issuer', 'subject'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('sign_on_identities_by_account')
    .on('sign_on_identities')
    .column('account_id')
    .execute();
}
