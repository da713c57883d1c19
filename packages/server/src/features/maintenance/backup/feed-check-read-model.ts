import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** What of an event the chain of the feed is made of. */
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

/** Gives the tenant after this one that has an event or the end of a feed; a jump in the key for each. */
export async function findNextTenant({ db }: ReadQueries, after: string): Promise<TenantId | undefined> {
  const inFeed = await db
    .selectFrom('events')
    .select('tenant_id')
    .where('tenant_id', '>', after)
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst();
  const withEnd = await db
    .selectFrom('feed_heads')
    .select('tenant_id')
    .where('tenant_id', '>', after)
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst();
  const [next] = [inFeed, withEnd].flatMap((row) => row?.tenant_id ?? []).sort();
  return next as TenantId | undefined;
}

/** Whether a tenant is being deleted for good, or is deleted: its feed goes before it does. */
export async function isBeingRemoved(
  { db }: ReadQueries,
  tenantId: TenantId,
  nowMs: number,
): Promise<boolean> {
  // By no name: in a backup of an older version the column may not be there.
  const row = await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  return row === undefined || (row.delete_after ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** Position of the first event that is kept, or of the newest; undefined when there is none. */
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

/** Lists events in the order of the feed, those after a position up to another. */
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
