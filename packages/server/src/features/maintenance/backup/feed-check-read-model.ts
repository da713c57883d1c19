import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** The columns of an event that the hash chain covers. */
export interface ChainedEvent {
  readonly position: number;
  readonly body: string;
  readonly eventHash: Uint8Array;
  readonly chainHash: Uint8Array;
}

export async function countTenants({ db }: ReadQueries): Promise<number> {
  const { count } = await db
    .selectFrom('tenants')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the next tenant id with an event or a feed head. Each query is a single index lookup. */
export async function findNextTenant({ db }: ReadQueries, after: string): Promise<TenantId | undefined> {
  const withEvents = await db
    .selectFrom('events')
    .select('tenant_id')
    .where('tenant_id', '>', after)
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst();
  const withHead = await db
    .selectFrom('feed_heads')
    .select('tenant_id')
    .where('tenant_id', '>', after)
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst();
  const [next] = [withEvents, withHead].flatMap((row) => row?.tenant_id ?? []).sort();
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

/** Lists events in feed order, after one position and up to another. */
export async function listChained(
  { db }: ReadQueries,
  tenantId: TenantId,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<ChainedEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['position', 'body', 'event_hash', 'chain_hash'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', after)
    .where('position', '<=', until)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    body: row.body,
    eventHash: row.event_hash,
    chainHash: row.chain_hash,
  }));
}
