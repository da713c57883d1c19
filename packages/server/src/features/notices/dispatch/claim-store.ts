import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { NoticeRecord } from '../notice.ts';
import { toRecord, toRow } from '../notice-store.ts';

/** Identifies a channel among those of all tenants. */
export interface ChannelKey {
  readonly tenantId: TenantId;
  readonly channelId: string;
}

/** Lists channels with due notices, the one that waits longest first. */
export async function listDueChannels(
  { db }: ReadQueries,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<ChannelKey[]> {
  const rows = await db
    .selectFrom('notices')
    .select((row) => ['tenant_id', 'channel_id', row.fn.min('due_at').as('first_due_at')])
    .where('due_at', '<=', nowMs)
    .groupBy(['tenant_id', 'channel_id'])
    .orderBy('first_due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, channelId: row.channel_id }));
}

/** Lists the due notices of a channel, oldest first. */
export async function listDue(
  tx: Queries,
  { tenantId, channelId }: ChannelKey,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<NoticeRecord[]> {
  const rows = await tx.db
    .selectFrom('notices')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('due_at', '<=', nowMs)
    .orderBy('notice_id')
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

/** Lists when the messages to a channel since a time were first sent, oldest first, without tests. */
export async function listStarted(
  tx: Queries,
  { tenantId, channelId }: ChannelKey,
  sinceMs: number,
): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('notices')
    .select('started_at')
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('started_at', '>', sinceMs)
    .where('cause', '!=', 'test')
    .orderBy('started_at')
    .execute();
  return rows.map((row) => Number(row.started_at));
}

export async function postpone(
  tx: Queries,
  tenantId: TenantId,
  { noticeIds, untilMs }: { noticeIds: readonly string[]; untilMs: number },
): Promise<void> {
  await update(tx, tenantId, noticeIds).set({ due_at: untilMs }).execute();
}

/** Stores a digest, and that these notices are part of it. */
export async function saveDigest(
  tx: Queries,
  tenantId: TenantId,
  { digest, noticeIds }: { digest: NoticeRecord; noticeIds: readonly string[] },
): Promise<void> {
  await tx.insertMany('notices', [toRow(tenantId, digest)]);
  await update(tx, tenantId, noticeIds)
    .set({ state: 'in_digest', due_at: null, digest_id: digest.noticeId })
    .execute();
}

/** Leases a notice for one attempt. */
export async function lease(
  tx: Queries,
  tenantId: TenantId,
  { noticeId, nowMs, leaseMs }: { noticeId: string; nowMs: number; leaseMs: number },
): Promise<void> {
  await update(tx, tenantId, [noticeId])
    .set({
      state: 'sending',
      due_at: nowMs + leaseMs,
      attempts: sql<number>`attempts + 1`,
      started_at: sql<number>`coalesce(started_at, ${sql.val(nowMs)})`,
    })
    .execute();
}

/** Records the outcome of an attempt, unless another one has begun since. */
export async function settle(
  tx: Queries,
  tenantId: TenantId,
  attempt: Pick<NoticeRecord, 'noticeId' | 'attempts'> &
    Pick<NoticeRecord, 'state' | 'dueAtMs' | 'lastError' | 'sentAtMs'>,
): Promise<void> {
  await update(tx, tenantId, [attempt.noticeId])
    .set({
      state: attempt.state,
      due_at: attempt.dueAtMs,
      last_error: attempt.lastError,
      sent_at: attempt.sentAtMs,
    })
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt.attempts)
    .execute();
}

/** Ends the leases of all processes. Only for a store that no other process uses. */
export async function endLeases(tx: Queries, nowMs: number): Promise<void> {
  await tx.db.updateTable('notices').set({ due_at: nowMs }).where('state', '=', 'sending').execute();
}

function update(tx: Queries, tenantId: TenantId, noticeIds: readonly string[]) {
  return tx.db
    .updateTable('notices')
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('notice_id', noticeIds));
}
