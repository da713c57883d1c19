import { sql } from 'kysely';
import { forUpdate, type Queries } from '../../../database/index.ts';
import type { WebhookKey } from '../webhook.ts';
import { RETENTION_MS } from './delivery.ts';

/** Rows per statement: small enough not to delay events. */
const MAX_FAILED = 1000;

/** A dead letter that the service replays itself. */
export interface WaitingReplay {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly claims: number;
}

/** Locks the oldest dead letters of a webhook that wait for their replay, in the order of the feed. */
export async function listWaitingForUpdate(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<WaitingReplay[]> {
  const query = tx.db
    .selectFrom('deliveries')
    .select(['delivery_id', 'event_id', 'claims'])
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('replay', 'is not', null)
    // One that a person replays, or acknowledged, is not waiting; one that has expired is purged soon.
    .where('status', '=', 'failed')
    .where('dead_at', '>=', nowMs - RETENTION_MS)
    .orderBy('delivery_id')
    .limit(limit);
  const rows = await forUpdate(tx, query).execute();
  return rows.map((row) => ({ deliveryId: row.delivery_id, eventId: row.event_id, claims: row.claims }));
}

/** Starts these dead letters again, with all their attempts, in the order given. */
export async function start(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { replays, nowMs }: { replays: readonly WaitingReplay[]; nowMs: number },
): Promise<void> {
  await tx.updateMany(
    'deliveries',
    ['tenant_id', 'webhook_id', 'delivery_id'],
    replays.map(({ deliveryId, claims }, index) => ({
      tenant_id: tenantId,
      webhook_id: webhookId,
      delivery_id: deliveryId,
      status: 'pending',
      attempts: 0,
      // Those that are due first are claimed first.
      due_at: nowMs - replays.length + index,
      leased_by: null,
      claims: claims + 1,
      replay: 'running',
    })),
  );
}

/** How many deliveries of a batch have failed, and how many are still under way. The rest has arrived. */
export async function countOpen(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { from, until }: { from: string; until: string },
): Promise<{ failed: number; pending: number }> {
  const rows = await tx.db
    .selectFrom('deliveries')
    .select('status')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('replay', 'is not', null)
    // An older version of the service records a success without clearing `replay`.
    .where('status', '!=', 'delivered')
    .where('delivery_id', '>=', from)
    .where('delivery_id', '<=', until)
    .execute();
  const failed = rows.filter(({ status }) => status === 'failed').length;
  return { failed, pending: rows.length - failed };
}

/** Stops the replays of a batch that no process is about to send. They are dead letters as before. */
export async function withdraw(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { from, until }: { from: string; until: string },
): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'failed', due_at: null, replay: 'waiting' })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('replay', '=', 'running')
    .where('delivery_id', '>=', from)
    .where('delivery_id', '<=', until)
    .where('due_at', 'is not', null)
    .where('leased_by', 'is', null)
    .execute();
}

/**
 * Ends pending deliveries of a webhook that cannot be made: events become dead letters that wait for their replay.
 * Returns how many; repeated until there are none. An attempt under way is no longer recorded.
 */
export async function failPending(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { error, nowMs }: { error: string; nowMs: number },
): Promise<number> {
  const pending = await tx.db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .limit(MAX_FAILED)
    .execute();
  const ids = pending.map((row) => row.delivery_id);
  if (ids.length === 0) return 0;
  await tx.db
    .updateTable('deliveries')
    .set((row) => ({
      status: 'failed',
      due_at: null,
      leased_by: null,
      claims: row('claims', '+', 1),
      last_error: error,
      // A test never becomes a dead letter.
      dead_at: sql<number | null>`case when test_body is null then coalesce(dead_at, ${nowMs}) end`,
      replay: sql<string | null>`case when test_body is null then 'waiting' end`,
    }))
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(tx.anyOf('delivery_id', ids))
    .where('due_at', 'is not', null)
    .execute();
  return ids.length;
}
