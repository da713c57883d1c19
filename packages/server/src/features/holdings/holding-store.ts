import type { HoldingKind } from '@tps/contract';
import { HOLDING_LIMITS } from '@tps/contract/vocabulary';
import type {
  DeleteQueryBuilder,
  DeleteResult,
  Expression,
  ExpressionBuilder,
  Kysely,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { confirmCredential, type Requester } from '../authority/index.ts';
import {
  type HoldingKey,
  type HoldingRecord,
  type HoldingRoot,
  type HoldingRule,
  keyOf,
  type Owner,
  ownerOf,
} from './holding.ts';

/** Both have the same columns. */
type OwnerTable = 'holdings' | 'earlier_owners';
type OwnerTables = Record<OwnerTable, Row<'holdings'>>;

const LIMITS: Readonly<Partial<Record<HoldingKind, number>>> = HOLDING_LIMITS;

/** Owners of one holding: more than people share a program, and few enough to find everything of an owner quickly. */
const MAX_OWNERS = 20;
/** Rows that one adoption writes about what a client has set up. */
const MAX_KEPT = 10_000;
const EARLIER_KEY = ['tenant_id', 'kind', 'holding_id', 'owner_id', 'via_client_id'] as const;

/** A holding that gets an owner, and the present time. */
interface OwnerChange {
  readonly rule: HoldingRule;
  readonly id: string;
  readonly nowMs: number;
}

/**
 * Makes the caller of a request the only owner of a holding, in the transaction that creates it, changes where it leads, or
 * adopts it. Otherwise a person could keep access through a holding of another person. The caller has locked the tenant: an
 * adoption changes the owners of tokens, and one transaction after the other counts against the limit. So for `share` and
 * `join`.
 * @throws ServiceError `holding_limit_reached` for a new one
 */
export async function own(tx: Queries, request: Requester, holding: OwnerChange): Promise<void> {
  const { tenantId } = request;
  const { rule, id, nowMs } = holding;
  await confirmCredential(tx, request, nowMs);
  await makeRoom(tx, tenantId, holding);
  const owners = await ownersOf(tx, request);
  await replaceOwners(
    tx,
    tenantId,
    { kind: rule.kind, id },
    owners.map((owner) => ({ ...owner, ownedSinceMs: nowMs })),
  );
}

/** Replaces the owners of a holding. Without any, it belongs to the tenant. */
async function replaceOwners(
  tx: Queries,
  tenantId: TenantId,
  { kind, id }: HoldingKey,
  owners: readonly Omit<HoldingRecord, keyof HoldingKey>[],
): Promise<void> {
  await release(tx, tenantId, { kind, id });
  const [first, ...others] = owners.map((owner) => ({ ...owner, kind, id }));
  if (!first) return;
  await tx.insertMany('holdings', [toRow(tenantId, first)]);
  await addEarlier(tx, tenantId, others);
}

/**
 * Ensures that the tenant can have another holding of a kind. At the limit, it releases those that have ended.
 * @throws ServiceError `holding_limit_reached`
 */
async function makeRoom(tx: Queries, tenantId: TenantId, { rule, id, nowMs }: OwnerChange): Promise<void> {
  const { kind } = rule;
  const limit = LIMITS[kind];
  if (limit === undefined) return;
  const present = tx.db.selectFrom('holdings').where('tenant_id', '=', tenantId).where('kind', '=', kind);
  const { total } = await present
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (Number(total) < limit) return;
  const ids = (await present.select('holding_id').execute()).map((row) => row.holding_id);
  // One that has an owner already takes no more room, also in a tenant that had more than the limit before there was one.
  if (ids.includes(id)) return;
  const active = await rule.listActive(tx, tenantId, { ids, atMs: nowMs });
  const atMs = nowMs - MAX_CLOCK_DIFFERENCE_MS;
  const kept = new Set((await rule.listActive(tx, tenantId, { ids, atMs })).map((one) => one.id));
  await release(tx, tenantId, { kind, id: ids.filter((one) => !kept.has(one)) });
  if (active.length < limit) return;
  throw new ServiceError(
    'holding_limit_reached',
    `A tenant can have at most ${limit} holdings of kind ${kind}`,
  );
}

/**
 * Makes the caller the first owner beside the present ones, in a transaction that changes what opens a holding or starts it
 * again: they may still have its secret, or have chosen its address. An operator owns nothing.
 */
export async function share(tx: Queries, request: Requester, change: OwnerChange): Promise<void> {
  const { added, others } = await addOwners(tx, request, change);
  if (added.length > 0) {
    await replaceOwners(tx, request.tenantId, { kind: change.rule.kind, id: change.id }, [
      ...added,
      ...others,
    ]);
  }
}

/** Takes owners from a holding. Returns whether it has others; otherwise it belongs to the tenant from then on. */
export async function removeOwners(
  tx: Queries,
  tenantId: TenantId,
  { kind, id }: HoldingKey,
  owners: readonly Owner[],
): Promise<boolean> {
  const all = await listByKeys(tx, tenantId, [{ kind, id }]);
  const others = all.filter((one) => !owners.some((owner) => isSameRow(one, owner)));
  await replaceOwners(tx, tenantId, { kind, id }, others);
  return others.length > 0;
}

/** Makes the caller an owner after the present ones, in a transaction that lets a holding do more. */
export async function join(tx: Queries, request: Requester, change: OwnerChange): Promise<void> {
  const { added } = await addOwners(tx, request, change);
  await addEarlier(tx, request.tenantId, added);
}

/**
 * Returns the caller as an owner of a holding, and its other owners.
 * @throws ServiceError `invalid_state_transition` if it would have too many
 */
async function addOwners(
  tx: Queries,
  request: Requester,
  { rule: { kind }, id, nowMs }: OwnerChange,
): Promise<{ added: readonly HoldingRecord[]; others: readonly HoldingRecord[] }> {
  await confirmCredential(tx, request, nowMs);
  const owners = await ownersOf(tx, request);
  const present = await listByKeys(tx, request.tenantId, [{ kind, id }]);
  const others = present.filter((one) => !owners.some((owner) => isSameRow(one, owner)));
  if (owners.length > 0 && others.length + owners.length > MAX_OWNERS) {
    throw new ServiceError(
      'invalid_state_transition',
      `${kind} ${id} has ${MAX_OWNERS} owners. Create another one instead`,
    );
  }
  // After the times of the others, also on a node whose clock is behind.
  const ownedSinceMs = others.reduce((latest, one) => Math.max(latest, one.ownedSinceMs + 1), nowMs);
  return { added: owners.map((owner) => ({ kind, id, ...owner, ownedSinceMs })), others };
}

/**
 * Returns whom the holdings of a caller belong to: a person, a client, or the owners of the token that it uses. So no chain of
 * tokens has to be followed to its end. A token without an owner owns what it sets up; an operator owns nothing.
 */
export async function ownersOf(
  queries: ReadQueries,
  { tenantId, caller }: Requester,
): Promise<readonly Owner[]> {
  const owner = ownerOf(caller);
  if (!owner) return [];
  if (caller.issued) return [owner];
  const owners = await listByKeys(queries, tenantId, [{ kind: 'token', id: caller.tokenId }]);
  if (owners.length === 0) return [owner];
  return owners.map(({ ownerId, viaClientId }) => ({ ownerId, viaClientId }));
}

function isSameRow(one: Owner, other: Owner): boolean {
  return one.ownerId === other.ownerId && one.viaClientId === other.viaClientId;
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
  const added = children.flatMap(({ kind, id }) => former.map((owner) => ({ ...owner, kind, id })));
  await addEarlier(tx, tenantId, added);
  const count = await countOwners(tx, tenantId, children);
  if (count > MAX_OWNERS) {
    throw new ServiceError(
      'invalid_state_transition',
      `items: something that was set up with oauth_client ${clientId} would have ${count} owners. Create another client instead`,
    );
  }
}

/** Returns how many owners the one of these holdings has that has the most. */
async function countOwners(
  queries: ReadQueries,
  tenantId: TenantId,
  holdings: readonly HoldingKey[],
): Promise<number> {
  const counts = new Map<string, number>();
  for (const record of await listByKeys(queries, tenantId, holdings)) {
    counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
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

/** Makes holdings of one kind belong to the tenant, or forgets those that were removed. */
export async function release(
  tx: Queries,
  tenantId: TenantId,
  { kind, id }: { readonly kind: HoldingKind; readonly id: string | readonly string[] },
): Promise<void> {
  const ids = typeof id === 'string' ? [id] : id;
  if (ids.length === 0) return;
  const tables = tx.db as unknown as Kysely<OwnerTables>;
  const queries = [tables.deleteFrom('holdings'), tables.deleteFrom('earlier_owners')];
  for (const query of queries as DeleteQueryBuilder<OwnerTables, OwnerTable, DeleteResult>[]) {
    await query
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', kind)
      .where(tx.anyOf('holding_id', ids))
      .execute();
  }
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

/** Lists everything that descends from these clients. */
export async function listBelow(
  queries: ReadQueries,
  tenantId: TenantId,
  clientIds: readonly string[],
): Promise<HoldingRecord[]> {
  const records: HoldingRecord[] = [];
  const seen = new Set(clientIds);
  for (let level = [...seen]; level.length > 0; ) {
    const children = await listOfOwners(queries, tenantId, level);
    for (const child of children) records.push(child);
    level = clientsAmong(children).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return records;
}

/** Returns the clients among holdings: nothing else owns what has an owner. */
export function clientsAmong(holdings: readonly HoldingKey[]): string[] {
  return [...new Set(holdings.filter(({ kind }) => kind === 'oauth_client').map(({ id }) => id))];
}

/** Lists the holdings of these clients, and those that were set up through one of them. */
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

function toRow(tenantId: TenantId, record: HoldingRecord): Row<'holdings'> {
  return {
    tenant_id: tenantId,
    kind: record.kind,
    holding_id: record.id,
    owner_id: record.ownerId,
    via_client_id: record.viaClientId,
    owned_since: record.ownedSinceMs,
  };
}

function toRecord(row: Row<'holdings'>): HoldingRecord {
  return {
    kind: row.kind as HoldingKind,
    id: row.holding_id,
    ownerId: row.owner_id,
    viaClientId: row.via_client_id || null,
    ownedSinceMs: row.owned_since,
  };
}
