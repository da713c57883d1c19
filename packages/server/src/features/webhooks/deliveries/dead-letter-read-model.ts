import type { CountInterval, Counts } from '@tps/contract';
import { sql } from 'kysely';
import {
  countByTime,
  type FilteredRows,
  matches,
  type ReadQueries,
  readFiltered,
  within,
} from '../../../database/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../../platform/list-filters.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { DeadLetterRecord } from './delivery.ts';
import { toRecord } from './delivery-store.ts';

export interface DeadLetterFilter {
  readonly webhookId?: AnyOf | undefined;
  readonly eventId?: AnyOf | undefined;
  readonly failed?: TimeRange | undefined;
}

/** Newest first, by the time of the delivery. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: DeadLetterFilter; page: PageRequest },
): Promise<DeadLetterRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = queries.db
        .selectFrom('deliveries as d')
        .innerJoin('events as e', (join) =>
          join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.event_id', '=', 'd.event_id'),
        )
        .selectAll('d')
        .select('e.body')
        .where(where);
      const rows = await query.orderBy('d.delivery_id', 'desc').limit(limit).execute();
      return rows.map((row) => ({ ...toRecord(row), deadAtMs: row.dead_at ?? 0, eventBody: row.body }));
    },
  });
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: DeadLetterFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`d.dead_at` };
  return countByTime(queries, rows, { range: filter.failed ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: DeadLetterFilter): FilteredRows {
  return {
    from: sql`deliveries as d`,
    scope: [
      sql`d.tenant_id = ${tenantId}`,
      sql`d.dead_at is not null`,
      // Dead letters of a removed webhook are hidden until they are purged.
      sql`exists (select 1 from webhooks as w where w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id)`,
      ...matches(queries, 'd.webhook_id', filter.webhookId),
    ],
    key: [sql.ref('d.delivery_id')],
    conditions: [
      ...matches(queries, 'd.event_id', filter.eventId),
      ...within('d.dead_at', filter.failed ?? EVER),
    ],
  };
}

/** Finds the id of the newest dead letter of a webhook. */
export async function findNewestId(
  queries: ReadQueries,
  tenantId: TenantId,
  webhookId: string,
): Promise<string | undefined> {
  const row = await queries.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is not', null)
    .orderBy('delivery_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.delivery_id;
}

/** Counts the dead letters of a webhook since a time, up to `enough`. */
export async function countSince(
  queries: ReadQueries,
  tenantId: TenantId,
  { webhookId, sinceMs, enough }: { webhookId: string; sinceMs: number; enough: number },
): Promise<number> {
  const rows = await queries.db
    .selectFrom('deliveries')
    .select('dead_at')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('dead_at', '>=', sinceMs)
    .limit(enough)
    .execute();
  return rows.length;
}
