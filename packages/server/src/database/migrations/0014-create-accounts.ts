import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createAccounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, bytes, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('accounts')
    .addColumn('account_id', text, (column) => column.primaryKey())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('password_hash', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('password_changed_at', int64)
    .addColumn('disabled_at', int64)
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.createIndex('accounts_by_email').unique().on('accounts').column('email_key').execute();

  await db.schema
    .createTable('account_sessions')
    .addColumn('session_hash', text, (column) => column.primaryKey())
    .addColumn('session_id', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('seen_at', int64, (column) => column.notNull())
    .addColumn('authenticated_at', int64, (column) => column.notNull())
    .addColumn('methods', text, (column) => column.notNull())
    .addColumn('user_agent', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('tenant_id', text)
    .addColumn('expires_at', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('account_sessions_by_account')
    .on('account_sessions')
    .columns(['account_id', 'session_id'])
    .execute();
  await db.schema
    .createIndex('account_sessions_by_end')
    .on('account_sessions')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('account_totp')
    .addColumn('account_id', text, (column) => column.primaryKey())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('sealed_secret', bytes, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('confirmed_at', int64)
    .addColumn('last_step', int64)
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('account_recovery_codes')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('code_hash', text, (column) => column.notNull())
    .addColumn('used_at', int64)
    .addPrimaryKeyConstraint('account_recovery_codes_pkey', ['account_id', 'code_hash'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('account_passkeys')
    .addColumn('credential_id', text, (column) => column.primaryKey())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('public_key', bytes, (column) => column.notNull())
    .addColumn('counter', int64, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('used_at', int64)
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('account_passkeys_by_account')
    .on('account_passkeys')
    .column('account_id')
    .execute();

  await db.schema
    .createTable('account_challenges')
    .addColumn('challenge_hash', text, (column) => column.primaryKey())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('account_id', text)
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('expires_at', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('account_challenges_by_account')
    .on('account_challenges')
    .column('account_id')
    .execute();
  await db.schema
    .createIndex('account_challenges_by_end')
    .on('account_challenges')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('login_failures')
    .addColumn('key_hash', text, (column) => column.primaryKey())
    .addColumn('failures', int64, (column) => column.notNull())
    .addColumn('last_at', int64, (column) => column.notNull())
    .addColumn('blocked_until', int64, (column) => column.notNull())
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.createIndex('login_failures_by_last').on('login_failures').column('last_at').execute();
}
