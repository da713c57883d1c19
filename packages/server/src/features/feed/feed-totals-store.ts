import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';

/** The feeds of all tenants together. */
export interface FeedTotals {
  /** The sum of their head positions. */
  readonly positions: number;
  /** When the newest event was stored. */
  readonly lastEventMs: number | undefined;
}

/** Reads one row per tenant. */
export async function readTotals({ db }: ReadQueries): Promise<FeedTotals> {
  const row = await db
    .selectFrom('feed_heads')
    .select(({ fn }) => [
      fn.sum<number | null>('position').as('positions'),
      fn.max<number | null>('received_at').as('last'),
    ])
    .where('position', '>', 0)
    .executeTakeFirst();
  return { positions: Number(row?.positions ?? 0), lastEventMs: row?.last ?? undefined };
}

/** Finds when the oldest kept event was stored: one lookup in the key per tenant. */
export async function findOldestEventAt(queries: ReadQueries): Promise<number | undefined> {
  const query = sql<{ oldest: number | null }>`
    select min(first.received_at) as oldest
    from (select (select e.received_at from events e where e.tenant_id = h.tenant_id
                  order by e.position limit 1) as received_at
          from feed_heads h) as first`;
  const { rows } = await query.execute(queries.db as never);
  return rows[0]?.oldest ?? undefined;
}
