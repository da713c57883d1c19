import { ACCESS_LIMITS } from '@tps/contract/vocabulary';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { lockInOrder, type Queries, type ReadQueries, skipUsed } from '../../database/index.ts';
import type { Row, Tables } from '../../database/tables/index.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../platform/clock.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { awaitEndOfTokens } from '../authority/index.ts';
import type { TokenRecord } from './token.ts';
import { toRecord } from './token-store.ts';

/** The id of the client that the console is. Its tokens rest on a session of the person, not on a grant. */
export const CONSOLE_CLIENT = 'tps-console';

/** An older version had no limit: so many end at a time. */
const MAX_EXCESS = 100;

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

/** Revokes access tokens. Returns the ids of those that a node may still have accepted: `awaitEndOfTokens` takes them. */
export async function revoke(tx: Queries, tokens: IssuedTokens, nowMs: number): Promise<string[]> {
  const condition = (row: TokenExpressions) =>
    row.and([
      row('tenant_id', '=', tokens.tenantId),
      row('client_id', 'is not', null),
      row('revoked_at', 'is', null),
      row('expires_at', '>', nowMs - MAX_CLOCK_DIFFERENCE_MS),
      ...(tokens.grantId === undefined ? [] : [row('grant_id', '=', tokens.grantId)]),
      ...(tokens.clientId === undefined ? [] : [row('client_id', '=', tokens.clientId)]),
      ...(tokens.accountId === undefined ? [] : [row('account_id', '=', tokens.accountId)]),
      ...(tokens.tokenHash === undefined ? [] : [row('token_hash', '=', tokens.tokenHash)]),
      ...(tokens.sinceMs === undefined ? [] : [row('created_at', '>=', tokens.sinceMs)]),
    ]);
  const revoked = await revokeWhere(tx, condition, nowMs);
  return revoked.map(({ token_id }) => token_id);
}

/** What an access token rests on: a grant, a session of the console, or only the client. */
interface Basis {
  readonly tenantId: TenantId;
  readonly clientId: string;
  readonly grantId: string | null;
  readonly accountId: string | null;
}

/**
 * Revokes the live access tokens that expire first, if there are as many as can be: one more is about to be issued. The caller
 * has locked what they rest on.
 */
export async function makeRoom(tx: Queries, basis: Basis, nowMs: number): Promise<void> {
  const { tenantId, clientId, grantId, accountId } = basis;
  const live = tx.db
    .selectFrom('tokens')
    .select('token_hash')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs);
  const inTenant = live.where('tenant_id', '=', tenantId);
  const own = inTenant.where('client_id', '=', clientId).where('grant_id', 'is', null);
  // The id of a grant or session determines the rest.
  const kept = grantId === null ? own : live.where('grant_id', '=', grantId);
  const beyond = (tokens: typeof live, most: number) =>
    tokens
      .orderBy('expires_at', 'desc')
      .offset(most - 1)
      .limit(MAX_EXCESS)
      .execute();
  const excess = await beyond(kept, limitOf(basis));
  if (accountId !== null) {
    const ofPerson = inTenant.where('account_id', '=', accountId);
    excess.push(...(await beyond(ofPerson, ACCESS_LIMITS.tokensOfPerson)));
  }
  if (excess.length === 0) return;
  const hashes = excess.map(({ token_hash }) => token_hash);
  await revokeWhere(tx, () => tx.anyOf('token_hash', hashes), nowMs);
}

function limitOf({ clientId, grantId }: Basis): number {
  if (grantId === null) return ACCESS_LIMITS.tokensOfClient;
  return clientId === CONSOLE_CLIENT ? ACCESS_LIMITS.tokensOfConsoleSession : ACCESS_LIMITS.tokensOfGrant;
}

/**
 * Revokes the access tokens of sessions of the console, in all tenants. The transaction of the caller resolves when no change
 * that relies on one of them can commit.
 */
export async function revokeOfSessions(
  tx: Queries,
  sessionIds: readonly string[],
  nowMs: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const condition = (row: TokenExpressions) =>
    row.and([
      tx.anyOf('grant_id', sessionIds),
      row('client_id', '=', CONSOLE_CLIENT),
      row('revoked_at', 'is', null),
      row('expires_at', '>', nowMs - MAX_CLOCK_DIFFERENCE_MS),
    ]);
  const revoked = await revokeWhere(tx, condition, nowMs);
  for (const tenantId of new Set(revoked.map(({ tenant_id }) => tenant_id as TenantId))) {
    const tokenIds = revoked.filter((one) => one.tenant_id === tenantId).map(({ token_id }) => token_id);
    tx.afterCommit((database) => awaitEndOfTokens(database, { tenantId, tokenIds }));
  }
}

type TokenExpressions = ExpressionBuilder<Tables, 'tokens'>;

/** The caller has locked what new tokens of this kind rest on. */
async function revokeWhere(
  tx: Queries,
  condition: (row: TokenExpressions) => Expression<SqlBool>,
  nowMs: number,
): Promise<Pick<Row<'tokens'>, 'tenant_id' | 'token_id'>[]> {
  await lockInOrder(tx, tx.db.selectFrom('tokens').select('token_id').where(condition).orderBy('token_id'));
  const revoked = tx.db.updateTable('tokens').set({ revoked_at: nowMs }).where(condition);
  return revoked.returning(['tenant_id', 'token_id']).execute();
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
    .where('token_id', 'in', (select) =>
      skipUsed(
        tx,
        select
          .selectFrom('tokens')
          .select('token_id')
          .where('client_id', 'is not', null)
          .where('expires_at', '<', expiredBefore),
      ),
    )
    .execute();
}
