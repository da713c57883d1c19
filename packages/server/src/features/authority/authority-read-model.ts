import type { Scope } from '@tps/contract';
import {
  afterKeyShares,
  forKeyShare,
  forUpdate,
  prepareQuery,
  type Queries,
  type ReadQueries,
  skipUsed,
} from '../../database/index.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import type { Requester, StoredAuthority } from './authority.ts';

/**
 * Reads the tokens and tenants of requests in one statement, and notes that this transaction relies on them: see
 * `awaitRelianceOnToken`. Locks nothing that another request or a revocation waits for, so callers need no order.
 *
 * @returns the authority of a request; undefined if its token or tenant no longer exists
 */
export async function relyOn(
  tx: Queries,
  requests: readonly AdmittedRequest[],
): Promise<(request: AdmittedRequest) => StoredAuthority | undefined> {
  return authorityAmong(await selectReliedOn(tx, toIds(requests)));
}

/** Reads the tokens and tenants of requests in one statement. They may change as soon as it returns. */
export async function readAuthority(
  queries: ReadQueries,
  requests: readonly Requester[],
): Promise<(request: Requester) => StoredAuthority | undefined> {
  return authorityAmong(await selectAuthority(queries, toIds(requests)));
}

function toIds(requests: readonly Requester[]): RequestIds {
  return {
    ownerIds: distinct(requests.map(({ caller }) => caller.tenantId ?? NO_TENANT)),
    tokenIds: distinct(requests.map(({ caller }) => caller.tokenId)),
    tenantIds: distinct(requests.map(({ tenantId }) => tenantId)),
  };
}

function authorityAmong(
  rows: Awaited<ReturnType<typeof selectAuthority>>,
): (request: Requester) => StoredAuthority | undefined {
  const found = new Map(
    rows.map((row): [string, StoredAuthority] => [
      `${row.tenant_id} ${row.token_id}`,
      {
        caller: {
          tokenId: row.token_id,
          tenantId: row.owner_id === NO_TENANT ? null : (row.owner_id as TenantId),
          scopes: JSON.parse(row.scopes) as Scope[],
          expiresAtMs: row.expires_at,
        },
        revokedAtMs: row.revoked_at,
        tenantDeleteAfterMs: row.delete_after,
      },
    ]),
  );
  return ({ tenantId, caller }) => found.get(`${tenantId} ${caller.tokenId}`);
}

interface RequestIds {
  readonly ownerIds: readonly string[];
  readonly tokenIds: readonly string[];
  readonly tenantIds: readonly string[];
}

const selectReliedOn = prepareQuery((tx: Queries, ids: RequestIds) => forKeyShare(tx, authorityOf(tx, ids)));
const selectAuthority = prepareQuery((queries: ReadQueries, ids: RequestIds) => authorityOf(queries, ids));

function authorityOf(queries: ReadQueries, { ownerIds, tokenIds, tenantIds }: RequestIds) {
  return queries.db
    .selectFrom('tokens')
    .innerJoin('tenants', (join) =>
      join.on((row) =>
        row.or([
          row('tokens.tenant_id', '=', row.ref('tenants.tenant_id')),
          row('tokens.tenant_id', '=', NO_TENANT),
        ]),
      ),
    )
    .select([
      'tokens.tenant_id as owner_id',
      'tokens.token_id',
      'tokens.scopes',
      'tokens.expires_at',
      'tokens.revoked_at',
      'tenants.tenant_id',
      'tenants.delete_after',
    ])
    .where(queries.anyOf('tokens.tenant_id', ownerIds))
    .where(queries.anyOf('tokens.token_id', tokenIds))
    .where(queries.anyOf('tenants.tenant_id', tenantIds));
}

/**
 * Locks a tenant until the transaction ends: first of all rows of the tenant, by each transaction that ends authority and what
 * descends from it, so that these take turns, and by each that counts rows against a limit of the tenant. Returns whether the
 * tenant exists.
 */
export async function lockTenant(tx: Queries, tenantId: TenantId): Promise<boolean> {
  const tenant = tx.db.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', tenantId);
  return (await forUpdate(tx, tenant).executeTakeFirst()) !== undefined;
}

/** Returns those of these tokens on which no transaction relies. Those that begin later see how they are stored now. */
export async function listUnused(
  tx: Queries,
  tenantId: TenantId,
  tokenIds: readonly string[],
): Promise<string[]> {
  const tokens = tx.db
    .selectFrom('tokens')
    .select('token_id')
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('token_id', tokenIds));
  const rows = await skipUsed(tx, tokens).execute();
  return rows.map(({ token_id }) => token_id);
}

/** Waits for the transactions that rely on a token. Those that begin later see how it is stored now. */
export async function awaitRelianceOnToken(tx: Queries, tenantId: TenantId, tokenId: string): Promise<void> {
  const token = tx.db
    .selectFrom('tokens')
    .select('token_id')
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', tokenId);
  await afterKeyShares(tx, token).execute();
}

/** Waits for the transactions that rely on a tenant. */
export async function awaitRelianceOnTenant(tx: Queries, tenantId: TenantId): Promise<void> {
  const tenant = tx.db.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', tenantId);
  await afterKeyShares(tx, tenant).execute();
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
