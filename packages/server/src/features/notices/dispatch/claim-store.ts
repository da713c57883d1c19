import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { NoticeRecord } from '../notice.ts';
import * as noticeStore from '../notice-store.ts';

/** Longer than any attempt: a mail has 15 s. */
const LEASE_MS = 60_000;

/** Identifies a channel among those of all tenants. */
export interface ChannelKey {
  readonly tenantId: TenantId;
  readonly channelId: string;
}

/** What cannot be claimed at the moment. */
export interface Unavailable {
  readonly channelIds: readonly string[];
  readonly tenantIds: readonly string[];
  readonly mail: boolean;
}

/**
 * Lists channels with due notices: first one channel of each tenant, then a second one, and so on. Among these, the one
 * that waits longest first.
 */
export async function listDueChannels(
  queries: ReadQueries,
  { nowMs, limit, without }: { nowMs: number; limit: number; without: Unavailable },
): Promise<ChannelKey[]> {
  let query = queries.db
    .selectFrom('notices')
    .select((row) => [
      'tenant_id',
      'channel_id',
      row.fn.min('due_at').as('first_due_at'),
      sql<number>`row_number() over (partition by tenant_id order by min(due_at))`.as('place'),
    ])
    .where('due_at', '<=', nowMs)
    .where((row) => row.not(queries.anyOf('channel_id', without.channelIds)))
    .where((row) => row.not(queries.anyOf('tenant_id', without.tenantIds)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notices as other')
            .select('other.notice_id')
            .whereRef('other.tenant_id', '=', 'notices.tenant_id')
            .whereRef('other.channel_id', '=', 'notices.channel_id')
            .where('other.started_at', '>', nowMs - LEASE_MS)
            .where('other.state', '=', 'sending')
            .where('other.due_at', '>', nowMs),
        ),
      ),
    );
  if (without.mail) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notice_channels')
            .select('kind')
            .whereRef('notice_channels.tenant_id', '=', 'notices.tenant_id')
            .whereRef('notice_channels.channel_id', '=', 'notices.channel_id')
            .where('kind', '=', 'email'),
        ),
      ),
    );
  }
  const rows = await query
    .groupBy(['tenant_id', 'channel_id'])
    .orderBy('place')
    .orderBy('first_due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, channelId: row.channel_id }));
}

/** What the plan sends at once is first; then the most severe, so that no limit leaves it out. */
const URGENCY = sql`case when state = 'sending' or cause = 'test' then 0
  when severity = 'critical' then 1 when severity = 'high' then 2 when severity = 'medium' then 3 else 4 end`;

/** Lists and locks the due notices of a channel, the most severe first, then the oldest. */
export async function listDue(
  tx: Queries,
  { tenantId, channelId }: ChannelKey,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<NoticeRecord[]> {
  const query = tx.db
    .selectFrom('notices')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('due_at', '<=', nowMs)
    .orderBy(URGENCY)
    .orderBy('notice_id')
    .limit(limit);
  return (await forUpdate(tx, query).execute()).map(noticeStore.toRecord);
}

/** Whether a message to a channel is under way. */
export async function isBusy(
  tx: Queries,
  { tenantId, channelId }: ChannelKey,
  nowMs: number,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('notices')
    .select('notice_id')
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('started_at', '>', nowMs - LEASE_MS)
    .where('state', '=', 'sending')
    .where('due_at', '>', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the latest time at which a message to a channel that has failed has its next attempt, if that is not now. */
export async function findLastRetry(
  tx: Queries,
  { tenantId, channelId }: ChannelKey,
  nowMs: number,
): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('notices')
    .select((each) => each.fn.max('due_at').as('last'))
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('started_at', 'is not', null)
    .where('state', '=', 'waiting')
    .where('due_at', '>', nowMs)
    .executeTakeFirst();
  return row?.last === null || row?.last === undefined ? undefined : Number(row.last);
}

/** Lists when the messages to a channel since a time were last sent, oldest first, without tests. */
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
  await tx.insertMany('notices', [noticeStore.toRow(tenantId, digest)]);
  await update(tx, tenantId, noticeIds)
    .set({ state: 'in_digest', due_at: null, digest_id: digest.noticeId })
    .execute();
}

/** Leases a notice for one attempt. */
export async function lease(
  tx: Queries,
  tenantId: TenantId,
  { noticeId, nowMs }: { noticeId: string; nowMs: number },
): Promise<void> {
  await update(tx, tenantId, [noticeId])
    .set({
      state: 'sending',
      due_at: nowMs + LEASE_MS,
      attempts: sql<number>`attempts + 1`,
      started_at: nowMs,
    })
    .execute();
}

/** Records the outcome of an attempt, unless another has begun since. Does not retry a message that a later notice replaced. */
export async function settle(
  tx: Queries,
  tenantId: TenantId,
  attempt: Pick<NoticeRecord, 'noticeId' | 'attempts'> &
    Pick<NoticeRecord, 'state' | 'dueAtMs' | 'lastError' | 'sentAtMs'>,
): Promise<void> {
  const { state, dueAtMs, lastError } = attempt;
  // In the same statement, which waits for a transaction that is adding the later notice.
  const isReplaced = sql`last_error = ${noticeStore.REPLACED}`;
  await update(tx, tenantId, [attempt.noticeId])
    .set(
      state === 'waiting'
        ? {
            state: sql<string>`case when ${isReplaced} then 'failed' else 'waiting' end`,
            due_at: sql<number>`case when ${isReplaced} then null else cast(${dueAtMs} as bigint) end`,
            last_error: sql<string>`case when ${isReplaced} then last_error else ${lastError} end`,
          }
        : { state, due_at: dueAtMs, last_error: lastError, sent_at: attempt.sentAtMs },
    )
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
