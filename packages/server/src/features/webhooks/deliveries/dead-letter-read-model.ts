import type { ReadQueries } from '../../../database/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { DeadLetterRecord } from './delivery.ts';
import { toRecord } from './delivery-store.ts';

/** Newest first, by the time of the delivery. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { webhookId, page: { after, limit } }: { webhookId: string | undefined; page: PageRequest },
): Promise<DeadLetterRecord[]> {
  let query = queries.db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.tenant_id', '=', 'd.tenant_id').onRef('e.event_id', '=', 'd.event_id'),
    )
    // Dead letters of a removed webhook are hidden until they are purged.
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.tenant_id', '=', 'd.tenant_id').onRef('w.webhook_id', '=', 'd.webhook_id'),
    )
    .selectAll('d')
    .select('e.body')
    .where('d.tenant_id', '=', tenantId)
    .where('d.dead_at', 'is not', null)
    .orderBy('d.delivery_id', 'desc')
    .limit(limit);
  if (webhookId !== undefined) query = query.where('d.webhook_id', '=', webhookId);
  if (after !== undefined) query = query.where('d.delivery_id', '<', String(after[0]));
  const rows = await query.execute();
  return rows.map((row) => ({ ...toRecord(row), deadAtMs: row.dead_at ?? 0, eventBody: row.body }));
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
