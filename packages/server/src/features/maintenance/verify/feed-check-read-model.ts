import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';

/** The columns of an event that can be compared: with its text, its neighbours and what was derived from it. */
export type ChainedEvent = Omit<Row<'events'>, 'signed_digest'>;

export async function countTenants({ db }: ReadQueries): Promise<number> {
  const { count } = await db
    .selectFrom('tenants')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Tables that alone can show that a tenant has or had data. All keys begin with the tenant. */
const TENANT_TABLES = ['tenants', 'events', 'feed_heads', 'tokens', 'audit_entries'] as const;

/** Returns the next tenant id after this one, in the order of the ids. Each query is a single index lookup. */
export async function findNextTenant(
  { db }: ReadQueries,
  after: string,
  { isChained }: { isChained: boolean },
): Promise<TenantId | undefined> {
  const found: string[] = [];
  for (const table of [...TENANT_TABLES, ...(isChained ? ['audit_heads'] : [])]) {
    const query = sql<{ id: string }>`
      select tenant_id as id from ${sql.table(table)} where tenant_id > ${after} order by tenant_id limit 1`;
    found.push(...(await query.execute(db as never)).rows.map((row) => row.id));
  }
  const [next] = found.sort();
  return next as TenantId | undefined;
}

/** Whether a tenant is being deleted permanently or was deleted. Its feed is removed before the tenant row. */
export async function isBeingRemoved(
  { db }: ReadQueries,
  tenantId: TenantId,
  nowMs: number,
): Promise<boolean> {
  // Names no columns: a backup of an older version may lack delete_after.
  const row = await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  return row === undefined || (row.delete_after ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** Whether the record of a tenant is missing although, according to the audit log, the tenant was not deleted. */
export async function lacksRecord({ db }: ReadQueries, tenantId: TenantId): Promise<boolean> {
  const record = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (record) return false;
  const deleted = await db
    .selectFrom('audit_entries')
    .select('audit_id')
    .where('tenant_id', '=', NO_TENANT)
    .where('resource_id', '=', tenantId)
    .where('action', '=', 'tenant.deleted')
    .limit(1)
    .executeTakeFirst();
  return deleted === undefined;
}

/** Returns the position of the first or the newest stored event; undefined if there are none. */
export async function findEnd(
  { db }: ReadQueries,
  tenantId: TenantId,
  which: 'first' | 'newest',
): Promise<number | undefined> {
  const row = await db
    .selectFrom('events')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .orderBy('position', which === 'first' ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position;
}

/** Counts the positions before the first stored event that are not those of erased events. */
export async function countMissingFirst(
  queries: ReadQueries,
  tenantId: TenantId,
  { end, mayBeErased }: { end: number; mayBeErased: boolean },
): Promise<number> {
  const first = (await findEnd(queries, tenantId, 'first')) ?? end + 1;
  if (first === 1 || !mayBeErased) return first - 1;
  const { erased } = await queries.db
    .selectFrom('erased_events')
    .select((row) => row.fn.countAll<number>().as('erased'))
    .where('tenant_id', '=', tenantId)
    .where('position', '<', first)
    .executeTakeFirstOrThrow();
  return first - 1 - Number(erased);
}

/** Lists events in feed order, after one position and up to another. */
export async function listChained(
  { db }: ReadQueries,
  tenantId: TenantId,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<ChainedEvent[]> {
  // Names no columns: a backup of an older version lacks `filter_keys`.
  return db
    .selectFrom('events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('position', '>', after)
    .where('position', '<=', until)
    .orderBy('position')
    .limit(limit)
    .execute();
}
