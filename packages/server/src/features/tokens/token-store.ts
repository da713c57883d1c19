import { hash } from 'node:crypto';
import type { Environment, Scope, TokenStatus } from '@tps/contract';
import { type Expression, sql } from 'kysely';
import {
  allOf,
  forUpdate,
  lockInOrder,
  matches,
  type Queries,
  type ReadQueries,
  skipLocked,
  within,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import type { TokenRecord } from './token.ts';

/** Stores a token and returns its `digestOfToken`. */
export async function create(tx: Queries, token: TokenRecord, tokenHash: string): Promise<string> {
  const row: Row<'tokens'> = {
    tenant_id: token.tenantId ?? NO_TENANT,
    token_id: token.tokenId,
    token_hash: tokenHash,
    name: token.name,
    scopes: JSON.stringify(token.scopes),
    environment: token.environment,
    hint: token.hint,
    created_at: token.createdAtMs,
    created_by: token.createdBy,
    expires_at: token.expiresAtMs,
    last_used_at: token.lastUsedAtMs,
    revoked_at: token.revokedAtMs,
    device_id: token.deviceId,
    max_uses: token.maxUses,
    uses: token.uses,
    client_id: token.issued?.clientId ?? null,
    grant_id: token.issued?.grantId ?? null,
    account_id: token.issued?.accountId ?? null,
    key_thumbprint: token.issued?.keyThumbprint ?? null,
    authenticated_at: token.issued?.authenticatedAtMs ?? null,
  };
  await tx.db.insertInto('tokens').values(row).execute();
  return digestOfToken(row);
}

/**
 * Returns the SHA-256, in lower-case hex, of what never changes about a token. Its audit entry has it too: a token that
 * was altered or inserted in the store does not match. The hash of the credential goes in, but cannot be taken out.
 */
export function digestOfToken(row: Row<'tokens'>): string {
  return hash(
    'sha256',
    JSON.stringify([
      row.tenant_id,
      row.token_id,
      row.token_hash,
      row.name,
      row.scopes,
      row.environment,
      row.hint,
      row.created_at,
      row.created_by,
      row.device_id,
      row.max_uses,
    ]),
  );
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

/** Which credentials a list shows: tokens, enrolment secrets, or the credentials of one device. */
type TokenKind = 'tokens' | 'enrolments' | { readonly deviceId: string };

/** Which of them a list shows. */
export interface TokenFilter {
  readonly kind: TokenKind;
  readonly status?: AnyOf<TokenStatus> | undefined;
  readonly createdBy?: AnyOf | undefined;
  readonly created?: TimeRange | undefined;
  readonly nowMs: number;
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page: { after, limit } }: { filter: TokenFilter; page: PageRequest },
): Promise<TokenRecord[]> {
  const { kind } = filter;
  let query = queries.db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('token_id', 'desc')
    .limit(limit);
  if (typeof kind === 'object') query = query.where('device_id', '=', kind.deviceId);
  else {
    const isEnrolment = kind === 'enrolments';
    query = query.where('client_id', 'is', null);
    query = query.where('device_id', 'is', null).where('max_uses', isEnrolment ? 'is not' : 'is', null);
  }
  const conditions = [
    ...matches(queries, statusAt(filter.nowMs), filter.status),
    ...matches(queries, 'created_by', filter.createdBy),
    ...within('created_at', filter.created ?? EVER),
  ];
  if (conditions.length > 0) query = query.where(allOf(conditions));
  if (after !== undefined) query = query.where('token_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** The status of a token, as `tokenStatus` computes it. */
function statusAt(nowMs: number): Expression<unknown> {
  return sql`case when revoked_at is not null then 'revoked' when expires_at <= ${nowMs} then 'expired' else 'active' end`;
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

/** Returns those of these tokens that have not ended at this time. */
export async function listActive(
  queries: ReadQueries,
  tenantId: TenantId,
  { tokenIds, atMs }: { tokenIds: readonly string[]; atMs: number },
): Promise<Pick<TokenRecord, 'tokenId' | 'name'>[]> {
  const rows = await queries.db
    .selectFrom('tokens')
    .select(['token_id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('token_id', tokenIds))
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', atMs)]))
    .execute();
  return rows.map(({ token_id, name }) => ({ tokenId: token_id, name }));
}

/** Revokes tokens. Returns those that were not revoked before, oldest first. */
export async function revokeAll(
  tx: Queries,
  tenantId: TenantId,
  { tokenIds, nowMs }: { tokenIds: readonly string[]; nowMs: number },
): Promise<Pick<TokenRecord, 'tokenId' | 'name'>[]> {
  if (tokenIds.length === 0) return [];
  const inOrder = tx.db.selectFrom('tokens').select('token_id').where('tenant_id', '=', tenantId);
  await lockInOrder(tx, inOrder.where(tx.anyOf('token_id', tokenIds)).orderBy('token_id'));
  const rows = await tx.db
    .updateTable('tokens')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('token_id', tokenIds))
    .where('revoked_at', 'is', null)
    .returning(['token_id', 'name'])
    .execute();
  return rows
    .map(({ token_id, name }) => ({ tokenId: token_id, name }))
    .sort((one, other) => (one.tokenId < other.tokenId ? -1 : 1));
}

/** Lets a token end at this time, unless it ends earlier. */
export async function endBy(
  tx: Queries,
  tenantId: TenantId,
  { tokenId, atMs }: { tokenId: string; atMs: number },
): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ expires_at: atMs })
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', atMs)]))
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

/** Counts one use of an enrolment secret; false when all are used. Atomic: the row is locked until the transaction ends. */
export async function countUse(tx: Queries, tenantId: TenantId, tokenId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('tokens')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId)
    .whereRef('uses', '<', 'max_uses')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes the credentials of a device, except one. Deleted, not ended, so that renewals do not add up. */
export async function removeOfDevice(
  tx: Queries,
  tenantId: TenantId,
  { deviceId, except = '' }: { deviceId: string; except?: string | undefined },
): Promise<void> {
  await tx.db
    .deleteFrom('tokens')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('token_id', '<>', except)
    .execute();
}

/** Revokes the credentials of a device. */
export async function revokeOfDevice(
  tx: Queries,
  tenantId: TenantId,
  { deviceId, nowMs }: { deviceId: string; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ revoked_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Moves `last_used_at` forward, never back. A token that another transaction changes now is left as it is. */
export async function markUsed(
  tx: Queries,
  token: Pick<TokenRecord, 'tenantId' | 'tokenId'>,
  usedAtMs: number,
): Promise<void> {
  await tx.db
    .updateTable('tokens')
    .set({ last_used_at: usedAtMs })
    .where('tenant_id', '=', token.tenantId ?? NO_TENANT)
    .where('token_id', 'in', (select) => {
      const own = select.selectFrom('tokens').select('token_id').where('token_id', '=', token.tokenId);
      return skipLocked(tx, own.where('tenant_id', '=', token.tenantId ?? NO_TENANT));
    })
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
export function toRecord(row: Row<'tokens'>): TokenRecord {
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
    deviceId: row.device_id,
    maxUses: row.max_uses,
    uses: row.uses,
    issued: toIssued(row),
  };
}

function toIssued(row: Row<'tokens'>): TokenRecord['issued'] {
  if (row.client_id === null) return null;
  return {
    clientId: row.client_id,
    grantId: row.grant_id,
    accountId: row.account_id,
    keyThumbprint: row.key_thumbprint,
    authenticatedAtMs: row.authenticated_at,
  };
}
