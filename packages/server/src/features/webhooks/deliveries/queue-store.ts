import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { RETENTION_MS } from './delivery.ts';

/** Rows per transaction: small enough not to delay events. */
const ROWS_PER_TRANSACTION = 1000;

/** The most that are counted: a partial index is read for it, while the metrics are read. */
const MAX_COUNTED = 100_000;

/** Counts the deliveries of all tenants that are waiting or under way. */
export function countPending(queries: ReadQueries): Promise<number> {
  return countUpToLimit(queries, sql`select 1 as one from deliveries where due_at is not null`);
}

/**
 * Finds the creation time of the oldest delivery that is first in a webhook's queue: one index lookup per webhook. Those
 * whose receiver asked for no requests are not late.
 */
export async function findOldestPendingAt(queries: ReadQueries, nowMs: number): Promise<number | undefined> {
  const query = sql<{ oldest: number | null }>`
    select min(next.made_at) as oldest
    from (
      select (select d.created_at from deliveries d
              where d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.due_at is not null
              order by d.due_at limit 1) as made_at
      from webhooks w where w.status = 'active' and not exists (
        select 1 from webhook_circuits c
        where c.tenant_id = w.tenant_id and c.webhook_id = w.webhook_id and c.silent_until > ${nowMs})
    ) as next`;
  const { rows } = await query.execute(queries.db as never);
  return rows[0]?.oldest ?? undefined;
}

/** Counts the dead letters of all tenants. */
export function countDead(queries: ReadQueries): Promise<number> {
  return countUpToLimit(queries, sql`select 1 as one from deliveries where dead_at is not null`);
}

async function countUpToLimit(queries: ReadQueries, rows: RawBuilder<unknown>): Promise<number> {
  const query = sql<{ total: number }>`
    select count(*) as total from (${rows} limit ${sql.lit(MAX_COUNTED)}) as counted`;
  const result = await query.execute(queries.db as never);
  return Number(result.rows[0]?.total ?? 0);
}

/** For a dead letter, the time of the last failure; for one sent again just now, that time. */
const lastMoment = sql<number>`coalesce(dead_at, last_attempt_at, created_at)`;

/** Selects the deliveries of a webhook to purge. */
export interface ExpiredFilter {
  readonly webhookId: string;
  readonly nowMs: number;
  /** Whether pending deliveries are purged too: they have waited for a disabled webhook all this time. */
  readonly withPending: boolean;
}

/** Finds deliveries of a webhook, including dead letters, that are over and past their retention. */
export async function listExpired(
  queries: ReadQueries,
  tenantId: TenantId,
  { webhookId, nowMs, withPending }: ExpiredFilter,
): Promise<string[]> {
  const beforeMs = nowMs - RETENTION_MS;
  let query = queries.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    // Ids ascend with time, so old deliveries are found without an index on it.
    .where('delivery_id', '<', firstIdAt(ID_PREFIXES.delivery, beforeMs))
    .where(lastMoment, '<', beforeMs)
    .orderBy('delivery_id')
    .limit(ROWS_PER_TRANSACTION);
  if (!withPending) query = query.where('due_at', 'is', null);
  return (await query.execute()).map((row) => row.delivery_id);
}

/** Lists removed webhooks of a tenant that still have deliveries: one step through the key per webhook. */
export async function listRemovedWebhooks(queries: ReadQueries, tenantId: TenantId): Promise<string[]> {
  const query = sql<{ webhook_id: string }>`
    with recursive seen(webhook_id) as (
      select min(webhook_id) from deliveries where tenant_id = ${tenantId}
      union all
      select (select min(d.webhook_id) from deliveries d
              where d.tenant_id = ${tenantId} and d.webhook_id > seen.webhook_id)
      from seen where seen.webhook_id is not null
    )
    select webhook_id from seen
    where webhook_id is not null and not exists (
      select 1 from webhooks w where w.tenant_id = ${tenantId} and w.webhook_id = seen.webhook_id)`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => row.webhook_id);
}

export async function purgeMany(
  tx: Queries,
  tenantId: TenantId,
  { webhookId, nowMs, deliveryIds, withPending }: ExpiredFilter & { deliveryIds: readonly string[] },
): Promise<void> {
  let query = tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(tx.anyOf('delivery_id', deliveryIds))
    // Checked again: one of them may have been restarted in the meantime.
    .where(lastMoment, '<', nowMs - RETENTION_MS);
  if (!withPending) query = query.where('due_at', 'is', null);
  await query.execute();
}
