import { type Kysely, sql } from 'kysely';

/**
 * Finds what a grant, client or person can still use, without reading what was used before. Safe beside an older version: it
 * adds indexes, which no query names.
 */
export async function indexLiveAccess(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of INDEXES) {
    await sql`create index ${sql.ref(name)} on ${sql.raw(on)}`.execute(db);
  }
}

const INDEXES = [
  [
    'oauth_records_unused',
    `oauth_records (grant_id, model, expires_at) where grant_id is not null and consumed_at is null`,
  ],
  [
    'oauth_records_used',
    `oauth_records (grant_id, consumed_at) where grant_id is not null and consumed_at is not null`,
  ],
  [
    'oauth_records_grants',
    `oauth_records (tenant_id, account_id, client_id, expires_at) where model = 'Grant'`,
  ],
  [
    'oauth_records_grants_of_clients',
    `oauth_records (tenant_id, client_id, expires_at) where model = 'Grant'`,
  ],
  [
    'oauth_records_asked_of_clients',
    `oauth_records (client_id) where client_id is not null and asked_by is not null`,
  ],
  [
    'tokens_live_of_clients',
    `tokens (tenant_id, client_id, expires_at, grant_id) where client_id is not null and revoked_at is null`,
  ],
  [
    'tokens_live_of_accounts',
    `tokens (account_id, tenant_id, expires_at) where account_id is not null and revoked_at is null`,
  ],
  [
    'tokens_live_of_grants',
    `tokens (grant_id, expires_at) where grant_id is not null and revoked_at is null`,
  ],
] as const;
