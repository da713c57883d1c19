import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';

export async function findNewestPosition({ db }: ReadQueries, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('audit_entries')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Lists entries in the order of the chain. */
export async function listChained(
  { db }: ReadQueries,
  tenantId: string,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<Row<'audit_entries'>[]> {
  return db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('position', 'is not', null)
    .where('position', '>', after)
    .where('position', '<=', until)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Counts the entries outside the chain, and finds the time of the newest. */
export async function countUnchained(
  { db }: ReadQueries,
  tenantId: string,
): Promise<{ count: number; newestMs: number | null }> {
  const row = await db
    .selectFrom('audit_entries')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`max(occurred_at)`.as('newest')])
    .where('tenant_id', '=', tenantId)
    .where('position', 'is', null)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), newestMs: row.newest === null ? null : Number(row.newest) };
}
