import type { ClientKeys, GrantType, Scope, TokenEndpointAuthMethod } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { OAuthClientRecord } from './oauth-client.ts';

/** `last_used_at` is written this often at most, so that a busy client does not make its row a bottleneck. */
const USE_INTERVAL_MS = 60_000;

export async function create(tx: Queries, client: OAuthClientRecord): Promise<void> {
  await tx.db.insertInto('oauth_clients').values(toRow(client)).execute();
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  clientId: string,
): Promise<OAuthClientRecord | undefined> {
  const row = await byId(queries, tenantId, clientId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a client and locks it against other changes, and against new tokens, until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  clientId: string,
): Promise<OAuthClientRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, clientId)).executeTakeFirst();
  return row && toRecord(row);
}

export async function listByIds(
  queries: ReadQueries,
  tenantId: TenantId,
  clientIds: readonly string[],
): Promise<OAuthClientRecord[]> {
  const rows = await queries.db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('client_id', clientIds))
    .execute();
  return rows.map(toRecord);
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<OAuthClientRecord[]> {
  let query = queries.db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('client_id', 'desc')
    .limit(limit);
  if (after !== undefined) query = query.where('client_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Stores the settings and secrets of a client. */
export async function update(tx: Queries, client: OAuthClientRecord): Promise<void> {
  const { tenant_id, client_id, created_at, created_by, last_used_at, ...changes } = toRow(client);
  await tx.db
    .updateTable('oauth_clients')
    .set(changes)
    .where('tenant_id', '=', tenant_id)
    .where('client_id', '=', client_id)
    .execute();
}

/** Moves `last_used_at` forward, about once a minute. */
export async function markUsed(
  tx: Queries,
  tenantId: TenantId,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('oauth_clients')
    .set({ last_used_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('client_id', '=', clientId)
    .where((row) =>
      row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', nowMs - USE_INTERVAL_MS)]),
    )
    .execute();
}

export async function remove(tx: Queries, tenantId: TenantId, clientId: string): Promise<void> {
  await tx.db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', tenantId)
    .where('client_id', '=', clientId)
    .execute();
}

function byId({ db }: ReadQueries, tenantId: TenantId, clientId: string) {
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('client_id', '=', clientId);
}

function toRow(client: OAuthClientRecord): Row<'oauth_clients'> {
  return {
    tenant_id: client.tenantId,
    client_id: client.clientId,
    name: client.name,
    uri: client.uri,
    redirect_uris: JSON.stringify(client.redirectUris),
    grant_types: JSON.stringify(client.grantTypes),
    auth_method: client.authMethod,
    scopes: JSON.stringify(client.scopes),
    jwks: client.jwks && JSON.stringify(client.jwks),
    secret_hash: client.secret?.hash ?? null,
    secret_hint: client.secret?.hint ?? null,
    previous_secret_hash: client.previous?.hash ?? null,
    previous_secret_until: client.previous?.untilMs ?? null,
    refresh_grace_s: client.refreshGraceS,
    created_at: client.createdAtMs,
    created_by: client.createdBy,
    updated_at: client.updatedAtMs,
    last_used_at: client.lastUsedAtMs,
    version: client.version,
  };
}

/** Reads a client from its row. */
export function toRecord(row: Row<'oauth_clients'>): OAuthClientRecord {
  const { secret_hash: hash, secret_hint: hint, previous_secret_hash: previous } = row;
  return {
    tenantId: row.tenant_id as TenantId,
    clientId: row.client_id,
    name: row.name,
    uri: row.uri,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    grantTypes: JSON.parse(row.grant_types) as GrantType[],
    authMethod: row.auth_method as TokenEndpointAuthMethod,
    scopes: JSON.parse(row.scopes) as Scope[],
    jwks: row.jwks === null ? null : (JSON.parse(row.jwks) as ClientKeys),
    secret: hash === null ? null : { hash, hint: hint ?? '' },
    previous: previous === null ? null : { hash: previous, untilMs: row.previous_secret_until ?? 0 },
    refreshGraceS: row.refresh_grace_s,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    updatedAtMs: row.updated_at,
    lastUsedAtMs: row.last_used_at,
    version: row.version,
  };
}
