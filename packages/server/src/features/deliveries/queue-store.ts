import { ID_PREFIXES } from '@tps/contract';
import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import { firstIdAt } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { RETENTION_MS } from './delivery.ts';

/** What waits to be delivered, over all tenants. */
export interface QueueFacts {
  readonly pending: number;
  /** Age of the one that has waited longest; 0 when none waits. */
  readonly oldestAgeMs: number;
  readonly deadLetters: number;
}

/** Rows that one transaction deletes: nobody's events wait for long. */
const DELETED_AT_ONCE = 1000;

export async function readQueue(queries: ReadQueries, nowMs: number): Promise<QueueFacts> {
  const pending = await queries.db
    .selectFrom('deliveries')
    .select((row) => [
      row.fn.countAll<number>().as('total'),
      row.fn.min<number | null>('created_at').as('oldest'),
    ])
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const dead = await queries.db
    .selectFrom('deliveries')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('dead_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return {
    pending: Number(pending.total),
    oldestAgeMs: pending.oldest === null ? 0 : Math.max(0, nowMs - Number(pending.oldest)),
    deadLetters: Number(dead.total),
  };
}

/**
 * Deletes what a webhook's deliveries have left and nobody may ask for any more, at most a thousand rows: those that are
 * over, dead letters, and those that waited for a disabled webhook all this time. Gives how many there were.
 */
export async function pruneOfWebhook(
  tx: Queries,
  tenantId: TenantId,
  { webhookId, nowMs }: { webhookId: string; nowMs: number },
): Promise<number> {
  const beforeMs = nowMs - RETENTION_MS;
  const { numDeletedRows } = await tx.db
    .deleteFrom('deliveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where((row) =>
      row('delivery_id', 'in', (query) =>
        query
          .selectFrom('deliveries')
          .select('delivery_id')
          .where('tenant_id', '=', tenantId)
          .where('webhook_id', '=', webhookId)
          // Ids ascend with time, so the old ones are found without an index on it.
          .where('delivery_id', '<', firstIdAt(ID_PREFIXES.delivery, beforeMs))
          // Of a dead letter the last failure counts, and of one that has just been sent again, that.
          .where(sql<number>`coalesce(dead_at, last_attempt_at, created_at)`, '<', beforeMs)
          .orderBy('delivery_id')
          .limit(DELETED_AT_ONCE),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
