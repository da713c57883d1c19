import type { HoldingKind } from '@tps/contract';
import type { Selectable } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { HoldingsTable } from '../../database/tables/index.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type HoldingKey, type HoldingRecord, type HoldingRoot, ownerOf } from './holding.ts';

/**
 * Makes the caller of a request the owner of a holding, in the transaction that creates it, or changes where it leads or
 * what opens it. Every such change calls it: otherwise a person could keep access through a holding of another person.
 */
export async function own(
  tx: Queries,
  { tenantId, caller }: Pick<AdmittedRequest, 'tenantId' | 'caller'>,
  { kind, id, nowMs }: HoldingKey & { nowMs: number },
): Promise<void> {
  const owner = ownerOf(caller);
  if (!owner) return release(tx, tenantId, { kind, id });
  const row: HoldingsTable = {
    tenant_id: tenantId,
    kind,
    holding_id: id,
    owner_id: owner.ownerId,
    via_client_id: owner.viaClientId,
    owned_since: nowMs,
  };
  await tx.upsertMany('holdings', ['tenant_id', 'kind', 'holding_id'], [row]);
}

/** Makes a holding belong to the tenant, or forgets one that was removed. */
export async function release(tx: Queries, tenantId: TenantId, { kind, id }: HoldingKey): Promise<void> {
  await tx.db
    .deleteFrom('holdings')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('holding_id', '=', id)
    .execute();
}

/** Lists what belongs directly to a root. */
export async function listOfRoot(
  { db }: ReadQueries,
  tenantId: TenantId,
  { ownerId, clientId }: HoldingRoot,
): Promise<HoldingRecord[]> {
  let query = db.selectFrom('holdings').selectAll().where('tenant_id', '=', tenantId);
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (ownerId !== undefined && clientId !== undefined) query = query.where('via_client_id', '=', clientId);
  if (ownerId === undefined) {
    query = query.where((row) =>
      row.or([row('owner_id', '=', clientId), row('via_client_id', '=', clientId)]),
    );
  }
  return (await query.execute()).map(toRecord);
}

/** Lists what has an owner in a tenant, by kind and id, after this key. */
export async function listAfter(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: { after: HoldingKey | undefined; limit: number },
): Promise<HoldingRecord[]> {
  let query = queries.db
    .selectFrom('holdings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('kind')
    .orderBy('holding_id')
    .limit(limit);
  if (after) {
    const { kind, id } = after;
    query = query.where((row) =>
      row.or([row('kind', '>', kind), row.and([row('kind', '=', kind), row('holding_id', '>', id)])]),
    );
  }
  return (await query.execute()).map(toRecord);
}

/** Lists the holdings of these tokens and clients, and those that were set up through one of the clients. */
export async function listOfOwners(
  queries: ReadQueries,
  tenantId: TenantId,
  ownerIds: readonly string[],
): Promise<HoldingRecord[]> {
  const rows = await queries.db
    .selectFrom('holdings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((row) => row.or([queries.anyOf('owner_id', ownerIds), queries.anyOf('via_client_id', ownerIds)]))
    .execute();
  return rows.map(toRecord);
}

/** Lists the owners of holdings. Those that belong to the tenant are missing. */
export async function listByKeys(
  queries: ReadQueries,
  tenantId: TenantId,
  keys: readonly HoldingKey[],
): Promise<HoldingRecord[]> {
  const rows = await queries.db
    .selectFrom('holdings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('holding_id', [...new Set(keys.map(({ id }) => id))]))
    .execute();
  return rows.map(toRecord);
}

function toRecord(row: Selectable<HoldingsTable>): HoldingRecord {
  return {
    kind: row.kind as HoldingKind,
    id: row.holding_id,
    ownerId: row.owner_id,
    viaClientId: row.via_client_id,
    ownedSinceMs: row.owned_since,
  };
}
