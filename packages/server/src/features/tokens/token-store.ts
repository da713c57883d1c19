import type { Environment, Scope } from '@tps/contract';
import type { Selectable } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { TokensTable } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import type { TokenRecord } from './token.ts';

export async function create(tx: Queries, token: TokenRecord, hash: string): Promise<void> {
  await tx.db
    .insertInto('tokens')
    .values({
      tenant_id: token.tenantId ?? NO_TENANT,
      token_id: token.tokenId,
      token_hash: hash,
      name: token.name,
      scopes: JSON.stringify(token.scopes),
      environment: token.environment,
      hint: token.hint,
      created_at: token.createdAtMs,
      created_by: token.createdBy,
      expires_at: token.expiresAtMs,
      last_used_at: token.lastUsedAtMs,
      revoked_at: token.revokedAtMs,
    })
    .execute();
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  tokenId: string,
): Promise<TokenRecord | undefined> {
  const row = await byId(queries, tenantId, tokenId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a token and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  tokenId: string,
): Promise<TokenRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, tokenId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<TokenRecord[]> {
  let query = queries.db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('token_id', 'desc')
    .limit(limit);
  if (after !== undefined) query = query.where('token_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

export async function revoke(tx: Queries, tenantId: TenantId, tokenId: string, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function setExpiry(
  tx: Queries,
  tenantId: TenantId,
  tokenId: string,
  expiresAtMs: number,
): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ expires_at: expiresAtMs })
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId)
    .execute();
}

/** Moves `last_used_at` forward, never back. */
export async function markUsed(
  tx: Queries,
  token: Pick<TokenRecord, 'tenantId' | 'tokenId'>,
  usedAtMs: number,
): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ last_used_at: usedAtMs })
    .where('tenant_id', '=', token.tenantId ?? NO_TENANT)
    .where('token_id', '=', token.tokenId)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', usedAtMs)]))
    .execute();
}

function byId(queries: ReadQueries, tenantId: TenantId, tokenId: string) {
  return queries.db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId);
}

/** Reads a token from its row. */
export function toRecord(row: Selectable<TokensTable>): TokenRecord {
  return {
    tokenId: row.token_id,
    tenantId: row.tenant_id === NO_TENANT ? null : (row.tenant_id as TenantId),
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    environment: row.environment as Environment,
    hint: row.hint,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    expiresAtMs: row.expires_at,
    lastUsedAtMs: row.last_used_at,
    revokedAtMs: row.revoked_at,
  };
}
