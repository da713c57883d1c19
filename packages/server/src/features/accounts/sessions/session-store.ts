import { ACCESS_LIMITS } from '@tps/contract/vocabulary';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { forUpdate, lockInOrder, type Queries, type ReadQueries, skipUsed } from '../../../database/index.ts';
import type { Row, Tables } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { issuedTokenStore } from '../../tokens/index.ts';
import type { AccountId } from '../account.ts';
import { type AccountSession, type AuthenticationMethod, SESSION_IDLE_MS } from './account-session.ts';

/** An older version had no limit: so many end at a time. */
const MAX_EXCESS = 1000;

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

/** Locks a session until the transaction ends. Returns whether it still exists: a transaction that ends it then waits. */
export async function lock(tx: Queries, sessionHash: string): Promise<boolean> {
  const session = tx.db
    .selectFrom('account_sessions')
    .select('session_id')
    .where('session_hash', '=', sessionHash);
  return (await forUpdate(tx, session).executeTakeFirst()) !== undefined;
}

/** Removes a session and ends its tokens. Returns whether it existed. */
export async function remove(tx: Queries, sessionHash: string, nowMs: number): Promise<boolean> {
  const query = tx.db.deleteFrom('account_sessions').where('session_hash', '=', sessionHash);
  const rows = await query.returning('session_id').execute();
  return endTokens(tx, rows, nowMs);
}

/** Removes a session of an account by its public id, and ends its tokens. Returns whether it existed. */
export async function removeById(
  tx: Queries,
  { accountId, sessionId }: Pick<AccountSession, 'accountId' | 'sessionId'>,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .returning('session_id')
    .execute();
  return endTokens(tx, rows, nowMs);
}

/** Removes all sessions of an account, or all but one, and ends their tokens. Returns how many. */
export async function removeOf(
  tx: Queries,
  accountId: AccountId,
  { except, nowMs }: { except?: string | undefined; nowMs: number },
): Promise<number> {
  const condition = (row: SessionExpressions) =>
    row.and([
      row('account_id', '=', accountId),
      ...(except === undefined ? [] : [row('session_hash', '!=', except)]),
    ]);
  return removeWhere(tx, condition, nowMs);
}

/**
 * Makes room for one more session of an account that reaches the same: if there are as many as can be, those that were not seen
 * for the longest time end with their tokens. The caller has locked the account. Returns how many.
 */
export async function makeRoom(
  tx: Queries,
  { accountId, tenantId }: Pick<AccountSession, 'accountId' | 'tenantId'>,
  nowMs: number,
): Promise<number> {
  const sessions = tx.db
    .selectFrom('account_sessions')
    .select('session_hash')
    .where('account_id', '=', accountId);
  const excess = await (tenantId === null
    ? sessions.where('tenant_id', 'is', null)
    : sessions.where('tenant_id', '=', tenantId)
  )
    .orderBy('seen_at', 'desc')
    .orderBy('session_id', 'desc')
    .offset(ACCESS_LIMITS.sessions - 1)
    .limit(MAX_EXCESS)
    .execute();
  if (excess.length === 0) return 0;
  const hashes = excess.map(({ session_hash }) => session_hash);
  return removeWhere(tx, () => tx.anyOf('session_hash', hashes), nowMs);
}

/** Removes all sessions that reach this tenant only, and ends their tokens. */
export async function removeOfTenant(tx: Queries, tenantId: TenantId, nowMs: number): Promise<void> {
  await removeWhere(tx, (row) => row('tenant_id', '=', tenantId), nowMs);
}

type SessionExpressions = ExpressionBuilder<Tables, 'account_sessions'>;

async function removeWhere(
  tx: Queries,
  condition: (row: SessionExpressions) => Expression<SqlBool>,
  nowMs: number,
): Promise<number> {
  const sessions = tx.db.selectFrom('account_sessions').select('session_hash').where(condition);
  await lockInOrder(tx, sessions.orderBy('session_hash'));
  const removed = tx.db.deleteFrom('account_sessions').where(condition);
  const rows = await removed.returning('session_id').execute();
  await endTokens(tx, rows, nowMs);
  return rows.length;
}

/** Deletes sessions that have ended by their age or without use. */
export async function purge(tx: Queries, nowMs: number): Promise<void> {
  await tx.db
    .deleteFrom('account_sessions')
    .where('session_hash', 'in', (select) => {
      const sessions = select.selectFrom('account_sessions').select('session_hash');
      return skipUsed(
        tx,
        sessions.where((row) =>
          row.or([row('expires_at', '<=', nowMs), row('seen_at', '<=', nowMs - SESSION_IDLE_MS)]),
        ),
      );
    })
    .execute();
}

/** Ends the tokens that the console has got for sessions, after the sessions: none can be added now. */
async function endTokens(
  tx: Queries,
  ended: readonly { readonly session_id: string }[],
  nowMs: number,
): Promise<boolean> {
  const sessionIds = ended.map(({ session_id }) => session_id);
  await issuedTokenStore.revokeOfSessions(tx, sessionIds, nowMs);
  return ended.length > 0;
}

function toSession(row: Row<'account_sessions'>): AccountSession {
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
