import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version, which ignores the new columns and leaves them empty in the tokens that it creates. It
 * rejects access tokens, whose prefix it does not know: create OAuth clients once every node runs this version.
 */
export async function createOauth(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  for (const name of ['client_id', 'grant_id', 'account_id', 'key_thumbprint']) {
    await db.schema.alterTable('tokens').addColumn(name, text).execute();
  }
  await db.schema.alterTable('tokens').addColumn('authenticated_at', int64).execute();
  await sql`create index tokens_of_clients on tokens (tenant_id, client_id, token_id) where client_id is not null`.execute(
    db,
  );
  await sql`create index tokens_of_accounts on tokens (account_id, tenant_id, token_id) where account_id is not null`.execute(
    db,
  );
  await sql`create index tokens_of_grants on tokens (grant_id) where grant_id is not null`.execute(db);
  await sql`create index tokens_issued_by_end on tokens (expires_at) where client_id is not null`.execute(db);
  // So that a list of tokens scans neither the credentials of devices nor the access tokens of clients.
  await sql`drop index tokens_unbound`.execute(db);
  await sql`create index tokens_unbound on tokens (tenant_id, token_id) where device_id is null and client_id is null`.execute(
    db,
  );

  await db.schema
    .createTable('oauth_clients')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('client_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('uri', text)
    .addColumn('redirect_uris', text, (column) => column.notNull())
    .addColumn('grant_types', text, (column) => column.notNull())
    .addColumn('auth_method', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('jwks', text)
    .addColumn('secret_hash', text)
    .addColumn('secret_hint', text)
    .addColumn('previous_secret_hash', text)
    .addColumn('previous_secret_until', int64)
    .addColumn('refresh_grace_s', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('last_used_at', int64)
    .addColumn('version', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('oauth_clients_pkey', ['tenant_id', 'client_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.createIndex('oauth_clients_by_id').on('oauth_clients').column('client_id').execute();

  await db.schema
    .createTable('oauth_records')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('record_hash', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('grant_id', text)
    .addColumn('uid', text)
    .addColumn('user_code_hash', text)
    .addColumn('client_id', text)
    .addColumn('account_id', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('expires_at', int64, (column) => column.notNull())
    .addColumn('consumed_at', int64)
    .addPrimaryKeyConstraint('oauth_records_pkey', ['tenant_id', 'record_hash'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.createIndex('oauth_records_by_hash').on('oauth_records').column('record_hash').execute();
  await db.schema.createIndex('oauth_records_by_end').on('oauth_records').column('expires_at').execute();
  for (const column of ['grant_id', 'uid', 'user_code_hash', 'account_id']) {
    await sql`create index ${sql.ref(`oauth_records_by_${column}`)} on oauth_records (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  }
  await sql`create index oauth_records_of_clients on oauth_records (tenant_id, client_id)
    where client_id is not null`.execute(db);

  await db.schema
    .createTable('oauth_consents')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('client_id', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('granted_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('oauth_consents_pkey', ['tenant_id', 'account_id', 'client_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('oauth_consents_by_account')
    .on('oauth_consents')
    .column('account_id')
    .execute();

  await db.schema
    .createTable('oauth_keys')
    .addColumn('key_id', text, (column) => column.primaryKey())
    .addColumn('purpose', text, (column) => column.notNull())
    .addColumn('sealed_under', text, (column) => column.notNull())
    .addColumn('sealed_key', columnTypes(engine).bytes, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('active_from', int64, (column) => column.notNull())
    .addColumn('retired_at', int64)
    .modifyEnd(inKeyOrder)
    .execute();
}
