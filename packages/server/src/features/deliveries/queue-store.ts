import { ID_PREFIXES } from '@tps/contract';
import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import { firstIdAt } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { RETENTION_MS } from './delivery.ts';

/** Rows that one transaction deletes: nobody's events wait for long. */
const DELETED_AT_ONCE = 1000;

/** Counts the deliveries of all tenants that wait or are under way. */
export async function countPending(queries: ReadQueries): Promise<number> {
  const { total } = await queries.db
    .selectFrom('deliveries')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Finds when the delivery that has waited longest was made. */
export async function findOldestPendingAt(queries: ReadQueries): Promise<number | undefined> {
  const { oldest } = await queries.db
    .selectFrom('deliveries')
    .select((row) => row.fn.min<number | null>('created_at').as('oldest'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return oldest === null ? undefined : Number(oldest);
}

/** Counts the dead letters of all tenants. */
export async function countDead(queries: ReadQueries): Promise<number> {
  const { total } = await queries.db
    .selectFrom('deliveries')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('dead_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** What of a webhook's deliveries is deleted. */
export interface Pruned {
  readonly webhookId: string;
  readonly nowMs: number;
  /** Whether what still waits goes as well: it has waited for a disabled webhook all this time. */
  readonly withPending: boolean;
}

/** Finds deliveries of a webhook that are over, dead letters among them, and that nobody may ask for any more. */
export async function listOutdated(
  queries: ReadQueries,
  tenantId: TenantId,
  { webhookId, nowMs, withPending }: Pruned,
): Promise<string[]> {
  const beforeMs = nowMs - RETENTION_MS;
  let query = queries.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    // Ids ascend with time, so the old ones are found without an index on it.
    .where('delivery_id', '<', firstIdAt(ID_PREFIXES.delivery, beforeMs))
    // Of a dead letter the last failure counts, and of one that has just been sent again, that.
    .where(sql<number>`coalesce(dead_at, last_attempt_at, created_at)`, '<', beforeMs)
    .orderBy('delivery_id')
    .limit(DELETED_AT_ONCE);
  if (!withPending) query = query.where('due_at', 'is', null);
  return (await query.execute()).map((row) => row.delivery_id);
}

export async function removeMany(
  tx: Queries,
  tenantId: TenantId,
  { webhookId, deliveryIds }: { webhookId: string; deliveryIds: readonly string[] },
): Promise<void> {
  await tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(tx.anyOf('delivery_id', deliveryIds))
    .execute();
}
