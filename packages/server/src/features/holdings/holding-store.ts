import type { HoldingKind } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type {
  DeleteQueryBuilder,
  DeleteResult,
  Expression,
  ExpressionBuilder,
  Kysely,
  Selectable,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely';
import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { HoldingsTable } from '../../database/tables/index.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import {
  type HoldingKey,
  type HoldingRecord,
  type HoldingRoot,
  keyOf,
  type Owner,
  ownerOf,
} from './holding.ts';

type Requester = Pick<AdmittedRequest, 'tenantId' | 'caller'>;
/** Both have the same columns. */
type OwnerTable = 'holdings' | 'earlier_owners';
type OwnerTables = Record<OwnerTable, HoldingsTable>;

/** Owners of one holding: more than people share a program, and few enough to find everything of an owner quickly. */
const MAX_OWNERS = 20;
/** Rows that one adoption writes about what a client has set up. */
const MAX_KEPT = 10_000;
/** Kinds of holdings that can own others. */
const OWNING_KINDS: readonly HoldingKind[] = ['token', 'oauth_client'];
const TOKEN_ID = `${ID_PREFIXES.token}_`;
const EARLIER_KEY = ['tenant_id', 'kind', 'holding_id', 'owner_id', 'via_client_id'] as const;

/**
 * Makes the caller of a request the only owner of a holding, in the transaction that creates it, changes where it leads, or
 * adopts it. Otherwise a person could keep access through a holding of another person.
 */
export async function own(
  tx: Queries,
  { tenantId, caller }: Requester,
  { kind, id, nowMs }: HoldingKey & { nowMs: number },
): Promise<void> {
  const owner = ownerOf(caller);
  if (!owner) return release(tx, tenantId, { kind, id });
  await putOnly(tx, tenantId, { kind, id, ...owner, ownedSinceMs: nowMs });
}

async function putOnly(tx: Queries, tenantId: TenantId, record: HoldingRecord): Promise<void> {
  await removeFrom(tx, 'earlier_owners', { tenantId, kind: record.kind, id: record.id });
  await tx.upsertMany('holdings', ['tenant_id', 'kind', 'holding_id'], [toRow(tenantId, record)]);
}

/**
 * Makes the caller the first owner beside the present ones, in a transaction that changes what opens a holding or starts it
 * again: they may still have its secret, or have chosen its address. An operator owns nothing.
 */
export async function share(
  tx: Queries,
  request: Requester,
  change: HoldingKey & { nowMs: number },
): Promise<void> {
  const added = await toAddedOwner(tx, request, change);
  if (!added) return;
  await putOnly(tx, request.tenantId, added.record);
  await addEarlier(tx, request.tenantId, added.others);
}

/** Takes owners from a holding. Returns whether it has others; otherwise it belongs to the tenant from then on. */
export async function removeOwners(
  tx: Queries,
  tenantId: TenantId,
  { kind, id }: HoldingKey,
  owners: readonly Owner[],
): Promise<boolean> {
  const all = await listByKeys(tx, tenantId, [{ kind, id }]);
  const [present, ...earlier] = all.filter((one) => !owners.some((owner) => isSameRow(one, owner)));
  await release(tx, tenantId, { kind, id });
  if (!present) return false;
  await tx.insertMany('holdings', [toRow(tenantId, present)]);
  await addEarlier(tx, tenantId, earlier);
  return true;
}

/** Makes the caller an owner after the present ones, in a transaction that lets a holding do more. */
export async function join(
  tx: Queries,
  request: Requester,
  change: HoldingKey & { nowMs: number },
): Promise<void> {
  const added = await toAddedOwner(tx, request, change);
  if (added) await addEarlier(tx, request.tenantId, [added.record]);
}

/** Returns the caller as an owner of a holding, and its other owners; undefined for an operator. */
async function toAddedOwner(
  queries: ReadQueries,
  { tenantId, caller }: Requester,
  { kind, id, nowMs }: HoldingKey & { nowMs: number },
): Promise<{ record: HoldingRecord; others: readonly HoldingRecord[] } | undefined> {
  const owner = ownerOf(caller);
  if (!owner) return undefined;
  const { ownerId, viaClientId } = await lastingOwner(queries, tenantId, owner);
  const others = await listOthers(queries, tenantId, { kind, id, owner: { ownerId, viaClientId } });
  // After the times of the others, also on a node whose clock is behind.
  const ownedSinceMs = others.reduce((latest, one) => Math.max(latest, one.ownedSinceMs + 1), nowMs);
  return { record: { kind, id, ownerId, viaClientId, ownedSinceMs }, others };
}

/** Returns the owner of a token, through tokens of tokens, or another owner as it is: one gets any number of tokens. */
export async function lastingOwner(queries: ReadQueries, tenantId: TenantId, owner: Owner): Promise<Owner> {
  if (!owner.ownerId.startsWith(TOKEN_ID)) return owner;
  const [next, ...others] = await listByKeys(queries, tenantId, [{ kind: 'token', id: owner.ownerId }]);
  // A token of several owners ends with each of them.
  return next && others.length === 0 ? lastingOwner(queries, tenantId, next) : owner;
}

/** Whether a holding of this kind can own others. */
export function canOwn(kind: HoldingKind): boolean {
  return OWNING_KINDS.includes(kind);
}

function isSameRow(one: Owner, other: Owner): boolean {
  return one.ownerId === other.ownerId && one.viaClientId === other.viaClientId;
}

/** @throws ServiceError `invalid_state_transition` if a holding would have too many owners */
async function listOthers(
  queries: ReadQueries,
  tenantId: TenantId,
  { kind, id, owner }: HoldingKey & { owner: Owner },
): Promise<HoldingRecord[]> {
  const owners = await listByKeys(queries, tenantId, [{ kind, id }]);
  const others = owners.filter((one) => !isSameRow(one, owner));
  if (others.length < MAX_OWNERS) return others;
  throw new ServiceError(
    'invalid_state_transition',
    `${kind} ${id} has ${MAX_OWNERS} owners. Create another one instead`,
  );
}

/**
 * Makes what was set up through a client belong to its owners too, when the client gets another owner: they may have used its
 * secret, or the tokens of people who came to their address.
 */
export async function keepForOwners(
  tx: Queries,
  tenantId: TenantId,
  { clientId, former }: { clientId: string; former: readonly HoldingRecord[] },
): Promise<void> {
  const children = await listOfOwners(tx, tenantId, [clientId]);
  if (children.length * former.length > MAX_KEPT) {
    throw new ServiceError(
      'invalid_state_transition',
      `items: too much was set up with oauth_client ${clientId}. Create another client instead`,
    );
  }
  await addEarlier(
    tx,
    tenantId,
    children.flatMap(({ kind, id }) => former.map((owner) => ({ ...owner, kind, id }))),
  );
}

/** Whether an owner is a holding, acts through it, or descends from it in any other way. */
export async function descendsFrom(
  queries: ReadQueries,
  tenantId: TenantId,
  owner: Owner,
  { id }: HoldingKey,
): Promise<boolean> {
  const seen = new Set<string>();
  for (let level = idsOf(owner); level.length > 0; ) {
    if (level.includes(id)) return true;
    for (const one of level) seen.add(one);
    const owners = await listByIds(queries, tenantId, level);
    level = [...new Set(owners.flatMap(idsOf))].filter((one) => !seen.has(one));
  }
  return false;
}

function idsOf({ ownerId, viaClientId }: Owner): string[] {
  return viaClientId === null ? [ownerId] : [ownerId, viaClientId];
}

/** Makes a holding belong to the tenant, or forgets one that was removed. */
export async function release(tx: Queries, tenantId: TenantId, { kind, id }: HoldingKey): Promise<void> {
  await removeFrom(tx, 'holdings', { tenantId, kind, id });
  await removeFrom(tx, 'earlier_owners', { tenantId, kind, id });
}

async function removeFrom(
  { db }: Queries,
  table: OwnerTable,
  { tenantId, kind, id }: HoldingKey & { tenantId: TenantId },
): Promise<void> {
  const tables = db as unknown as Kysely<OwnerTables>;
  const queries = {
    holdings: tables.deleteFrom('holdings'),
    earlier_owners: tables.deleteFrom('earlier_owners'),
  };
  const query = queries[table] as DeleteQueryBuilder<OwnerTables, OwnerTable, DeleteResult>;
  await query
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('holding_id', '=', id)
    .execute();
}

async function addEarlier(tx: Queries, tenantId: TenantId, records: readonly HoldingRecord[]): Promise<void> {
  const rows = records.map((record) => {
    const row = toRow(tenantId, record);
    return { ...row, via_client_id: row.via_client_id ?? '' };
  });
  if (rows.length > 0) await tx.upsertMany('earlier_owners', EARLIER_KEY, rows);
}

/** Lists what belongs directly to a root. */
export function listOfRoot(
  queries: ReadQueries,
  tenantId: TenantId,
  { ownerId, clientId }: HoldingRoot,
): Promise<HoldingRecord[]> {
  return listWhere(queries, tenantId, (row) => {
    if (ownerId === undefined)
      return row.or([row('owner_id', '=', clientId), row('via_client_id', '=', clientId)]);
    const own = row('owner_id', '=', ownerId);
    return clientId === undefined ? own : row.and([own, row('via_client_id', '=', clientId)]);
  });
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

/**
 * Lists everything that descends from these tokens and clients. PostgreSQL follows a chain in one statement: with one for each
 * link, a chain of 3,000 tokens took 10 s.
 */
export async function listBelow(
  queries: ReadQueries,
  tenantId: TenantId,
  ownerIds: readonly string[],
): Promise<HoldingRecord[]> {
  if (ownerIds.length === 0) return [];
  if (queries.engine === 'postgres') {
    return listOfOwners(queries, tenantId, await listOwningBelow(queries, tenantId, ownerIds));
  }
  const records: HoldingRecord[] = [];
  const seen = new Set(ownerIds);
  for (let level = [...seen]; level.length > 0; ) {
    const children = await listOfOwners(queries, tenantId, level);
    for (const child of children) records.push(child);
    const owning = children.filter(({ kind, id }) => canOwn(kind) && !seen.has(id));
    level = [...new Set(owning.map(({ id }) => id))];
    for (const id of level) seen.add(id);
  }
  return records;
}

/** Lists these tokens and clients, and those that descend from them. */
async function listOwningBelow(
  { db }: ReadQueries,
  tenantId: TenantId,
  ownerIds: readonly string[],
): Promise<string[]> {
  const of = (table: OwnerTable, column: 'owner_id' | 'via_client_id') => sql`
    select holding_id from ${sql.table(table)}
    where tenant_id = ${tenantId} and kind = any(${OWNING_KINDS}) and ${sql.ref(column)} = above.id`;
  const { rows } = await sql<{ id: string }>`
    with recursive above (id) as (
      select unnest(${ownerIds}::text[]) collate "C"
      union
      select below.holding_id from above cross join lateral (
        ${of('holdings', 'owner_id')} union all ${of('holdings', 'via_client_id')}
        union all ${of('earlier_owners', 'owner_id')} union all ${of('earlier_owners', 'via_client_id')}
      ) as below
    )
    select id from above`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the holdings of these tokens and clients, and those that were set up through one of the clients. */
function listOfOwners(
  queries: ReadQueries,
  tenantId: TenantId,
  ownerIds: readonly string[],
): Promise<HoldingRecord[]> {
  return listWhere(queries, tenantId, (row) =>
    row.or([queries.anyOf('owner_id', ownerIds), queries.anyOf('via_client_id', ownerIds)]),
  );
}

/** Lists the owners of holdings, earlier ones last. Those that belong to the tenant are missing. */
export async function listByKeys(
  queries: ReadQueries,
  tenantId: TenantId,
  keys: readonly HoldingKey[],
): Promise<HoldingRecord[]> {
  const wanted = new Set(keys.map(keyOf));
  const records = await listByIds(queries, tenantId, [...new Set(keys.map(({ id }) => id))]);
  return records.filter((record) => wanted.has(keyOf(record)));
}

function listByIds(
  queries: ReadQueries,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<HoldingRecord[]> {
  return listWhere(queries, tenantId, () => queries.anyOf('holding_id', ids));
}

/** Lists owners and earlier owners, these last. */
async function listWhere(
  { db }: ReadQueries,
  tenantId: TenantId,
  where: (row: ExpressionBuilder<OwnerTables, OwnerTable>) => Expression<SqlBool>,
): Promise<HoldingRecord[]> {
  const tables = db as unknown as Kysely<OwnerTables>;
  const queries = [tables.selectFrom('holdings'), tables.selectFrom('earlier_owners')];
  let records: HoldingRecord[] = [];
  for (const query of queries as SelectQueryBuilder<OwnerTables, OwnerTable, object>[]) {
    const rows = await query.selectAll().where('tenant_id', '=', tenantId).where(where).execute();
    records = records.concat(rows.map(toRecord));
  }
  return records;
}

function toRow(tenantId: TenantId, record: HoldingRecord): HoldingsTable {
  return {
    tenant_id: tenantId,
    kind: record.kind,
    holding_id: record.id,
    owner_id: record.ownerId,
    via_client_id: record.viaClientId,
    owned_since: record.ownedSinceMs,
  };
}

function toRecord(row: Selectable<HoldingsTable>): HoldingRecord {
  return {
    kind: row.kind as HoldingKind,
    id: row.holding_id,
    ownerId: row.owner_id,
    viaClientId: row.via_client_id || null,
    ownedSinceMs: row.owned_since,
  };
}
