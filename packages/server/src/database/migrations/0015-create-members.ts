import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createMembers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('memberships')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_pkey', ['tenant_id', 'account_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('memberships_by_account')
    .on('memberships')
    .columns(['account_id', 'tenant_id'])
    .execute();

  await db.schema
    .createTable('invitations')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('invitation_id', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('email', text)
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('expires_at', int64, (column) => column.notNull())
    .addColumn('accepted_at', int64)
    .addColumn('accepted_by', text)
    .addColumn('revoked_at', int64)
    .addPrimaryKeyConstraint('invitations_pkey', ['tenant_id', 'invitation_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Not unique, like that of tokens: 192 random bits do not collide.
  await db.schema.createIndex('invitations_by_hash').on('invitations').column('token_hash').execute();
}
