import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { TokenRecord } from './token.ts';
import { toRecord } from './token-store.ts';

/** The id of the client that the console is. Its tokens rest on a session of the person, not on a grant. */
export const CONSOLE_CLIENT = 'tps-console';

/** Which access tokens of OAuth clients. */
export interface IssuedTokens {
  readonly tenantId: TenantId;
  readonly grantId?: string;
  readonly clientId?: string;
  readonly accountId?: string;
  readonly tokenHash?: string;
  /** Only those that were issued at this time or later. */
  readonly sinceMs?: number;
}

/** Revokes access tokens. Returns the ids of those that had not ended: `awaitEndOfTokens` takes them. */
export async function revoke(tx: Queries, tokens: IssuedTokens, nowMs: number): Promise<string[]> {
  const { grantId, clientId, accountId, tokenHash, sinceMs } = tokens;
  let query = tx.db
    .updateTable('tokens')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tokens.tenantId)
    .where('client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs);
  if (grantId !== undefined) query = query.where('grant_id', '=', grantId);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (tokenHash !== undefined) query = query.where('token_hash', '=', tokenHash);
  if (sinceMs !== undefined) query = query.where('created_at', '>=', sinceMs);
  const rows = await query.returning('token_id').execute();
  return rows.map(({ token_id }) => token_id);
}

/** Revokes the access tokens of sessions of the console, in all tenants. */
export async function revokeOfSessions(
  tx: Queries,
  sessionIds: readonly string[],
  nowMs: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await tx.db
    .updateTable('tokens')
    .set({ revoked_at: nowMs })
    .where(tx.anyOf('grant_id', sessionIds))
    .where('client_id', '=', CONSOLE_CLIENT)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Returns whether a session of the console has a token of a tenant with these scopes, active or not. */
export async function isKnownSession(
  { db }: ReadQueries,
  tenantId: TenantId,
  { sessionId, scopes }: { sessionId: string; scopes: readonly string[] },
): Promise<boolean> {
  const row = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('tenant_id', '=', tenantId)
    .where('grant_id', '=', sessionId)
    .where('scopes', '=', JSON.stringify(scopes))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds the access token of this credential in any tenant, unless the token has ended. */
export async function findActive(
  { db }: ReadQueries,
  tokenHash: string,
  nowMs: number,
): Promise<TokenRecord | undefined> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Deletes access tokens that have expired. Nothing refers to them, and clients get a new one every hour. */
export async function purge(tx: Queries, expiredBefore: number): Promise<void> {
  await tx.db
    .deleteFrom('tokens')
    .where('client_id', 'is not', null)
    .where('expires_at', '<', expiredBefore)
    .execute();
}
