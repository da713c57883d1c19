import type { Selectable } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { AccountSessionsTable } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AccountId } from '../account.ts';
import { type AccountSession, type AuthenticationMethod, SESSION_IDLE_MS } from './account-session.ts';

export async function create(tx: Queries, session: AccountSession): Promise<void> {
  await tx.db
    .insertInto('account_sessions')
    .values({
      session_hash: session.sessionHash,
      session_id: session.sessionId,
      account_id: session.accountId,
      created_at: session.createdAtMs,
      seen_at: session.seenAtMs,
      authenticated_at: session.authenticatedAtMs,
      methods: JSON.stringify(session.methods),
      user_agent: session.userAgent,
      address: session.address,
      tenant_id: session.tenantId,
      expires_at: session.expiresAtMs,
    })
    .execute();
}

/** Finds a session of an account that is not disabled. */
export async function find({ db }: ReadQueries, sessionHash: string): Promise<AccountSession | undefined> {
  const row = await db
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.account_id', 'account_sessions.account_id')
    .selectAll('account_sessions')
    .where('session_hash', '=', sessionHash)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
  return row && toSession(row);
}

/** Lists the sessions of an account, including expired ones that are not purged yet, newest first. */
export async function list({ db }: ReadQueries, accountId: AccountId): Promise<AccountSession[]> {
  const rows = await db
    .selectFrom('account_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('session_id', 'desc')
    .execute();
  return rows.map(toSession);
}

export async function markSeen(tx: Queries, { sessionHash }: AccountSession, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('account_sessions')
    .set({ seen_at: nowMs })
    .where('session_hash', '=', sessionHash)
    .execute();
}

/** Removes a session. Returns whether it existed. */
export async function remove(tx: Queries, sessionHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('account_sessions')
    .where('session_hash', '=', sessionHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes a session of an account by its public id. Returns whether it existed. */
export async function removeById(tx: Queries, accountId: AccountId, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes all sessions of an account, or all but one. Returns how many. */
export async function removeOf(
  tx: Queries,
  accountId: AccountId,
  { except }: { except?: string | undefined } = {},
): Promise<number> {
  let query = tx.db.deleteFrom('account_sessions').where('account_id', '=', accountId);
  if (except !== undefined) query = query.where('session_hash', '!=', except);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes all sessions that reach this tenant only. */
export async function removeOfTenant(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.db.deleteFrom('account_sessions').where('tenant_id', '=', tenantId).execute();
}

/** Deletes sessions that have ended by their age or without use. */
export async function purge(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .deleteFrom('account_sessions')
    .where((where) =>
      where.or([where('expires_at', '<=', nowMs), where('seen_at', '<=', nowMs - SESSION_IDLE_MS)]),
    )
    .execute();
}

function toSession(row: Selectable<AccountSessionsTable>): AccountSession {
  return {
    sessionId: row.session_id,
    sessionHash: row.session_hash,
    accountId: row.account_id as AccountId,
    createdAtMs: row.created_at,
    seenAtMs: row.seen_at,
    authenticatedAtMs: row.authenticated_at,
    methods: JSON.parse(row.methods) as AuthenticationMethod[],
    tenantId: row.tenant_id as TenantId | null,
    userAgent: row.user_agent,
    address: row.address,
    expiresAtMs: row.expires_at,
  };
}
