import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { SavedViewRecord, ViewOwner } from './saved-view.ts';

/** Finds a view that is shared or belongs to the caller. */
export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  { viewId, caller }: { viewId: string; caller: ViewOwner },
): Promise<SavedViewRecord | undefined> {
  const row = await visible(queries, tenantId, caller).where('view_id', '=', viewId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds such a view and locks it until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  { viewId, caller }: { viewId: string; caller: ViewOwner },
): Promise<SavedViewRecord | undefined> {
  const view = visible(tx, tenantId, caller).where('view_id', '=', viewId);
  const row = await forUpdate(tx, view).executeTakeFirst();
  return row && toRecord(row);
}

/** Lists the shared views and the caller's own, newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { caller, page, request }: { caller: ViewOwner; page: string | undefined; request: PageRequest },
): Promise<SavedViewRecord[]> {
  const { after, limit } = request;
  let query = visible(queries, tenantId, caller).orderBy('view_id', 'desc').limit(limit);
  if (page !== undefined) query = query.where('page', '=', page);
  if (after !== undefined) query = query.where('view_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Lists all views of an owner. */
export async function listOf(
  queries: ReadQueries,
  tenantId: TenantId,
  owner: ViewOwner,
): Promise<SavedViewRecord[]> {
  const rows = await ofOwner(queries, tenantId, owner).selectAll().orderBy('view_id').execute();
  return rows.map(toRecord);
}

/** Counts the views of the tenant, and those of one owner. */
export async function count(
  queries: ReadQueries,
  tenantId: TenantId,
  owner: ViewOwner,
): Promise<{ all: number; own: number }> {
  const all = await queries.db
    .selectFrom('saved_views')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  const own = await ofOwner(queries, tenantId, owner)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { all: Number(all.total), own: Number(own.total) };
}

export async function create(tx: Queries, tenantId: TenantId, view: SavedViewRecord): Promise<void> {
  await tx.insertMany('saved_views', [toRow(tenantId, view)]);
}

export async function update(tx: Queries, tenantId: TenantId, view: SavedViewRecord): Promise<void> {
  await tx.updateMany('saved_views', ['tenant_id', 'view_id'], [toRow(tenantId, view)]);
}

export async function remove(tx: Queries, tenantId: TenantId, viewId: string): Promise<void> {
  await tx.db
    .deleteFrom('saved_views')
    .where('tenant_id', '=', tenantId)
    .where('view_id', '=', viewId)
    .execute();
}

/** Removes the views that only this owner sees. Those that the owner has shared stay: others use them. */
export async function removeUnshared(tx: Queries, tenantId: TenantId, owner: ViewOwner): Promise<void> {
  await tx.db
    .deleteFrom('saved_views')
    .where('tenant_id', '=', tenantId)
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id)
    .where('shared', '=', 0)
    .execute();
}

function visible({ db }: ReadQueries, tenantId: TenantId, caller: ViewOwner) {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((row) =>
      row.or([
        row('shared', '=', 1),
        row.and([row('owner_type', '=', caller.type), row('owner_id', '=', caller.id)]),
      ]),
    );
}

function ofOwner({ db }: ReadQueries, tenantId: TenantId, owner: ViewOwner) {
  return db
    .selectFrom('saved_views')
    .where('tenant_id', '=', tenantId)
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id);
}

function toRow(tenantId: TenantId, view: SavedViewRecord): Row<'saved_views'> {
  return {
    tenant_id: tenantId,
    view_id: view.viewId,
    owner_type: view.owner.type,
    owner_id: view.owner.id,
    name: view.name,
    page: view.page,
    query: view.query,
    shared: view.isShared ? 1 : 0,
    created_at: view.createdAtMs,
    updated_at: view.updatedAtMs,
  };
}

function toRecord(row: Row<'saved_views'>): SavedViewRecord {
  return {
    viewId: row.view_id,
    owner: { type: row.owner_type as ViewOwner['type'], id: row.owner_id },
    name: row.name,
    page: row.page,
    query: row.query,
    isShared: row.shared === 1,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
