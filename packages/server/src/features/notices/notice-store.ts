import type { NoticeCause, NoticeState, Severity } from '@tps/contract';
import { ID_PREFIXES, SEVERITIES } from '@tps/contract/vocabulary';
import {
  allOf,
  forUpdate,
  idsWithin,
  matches,
  type Queries,
  type ReadQueries,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type NoticeRecord, toPlainText } from './notice.ts';

export interface NoticeFilter {
  readonly channelId?: AnyOf | undefined;
  readonly state?: AnyOf<NoticeState> | undefined;
  readonly cause?: AnyOf<NoticeCause> | undefined;
  readonly created?: TimeRange | undefined;
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: NoticeFilter; page: PageRequest },
): Promise<NoticeRecord[]> {
  const { after, limit } = page;
  const conditions = [
    ...matches(queries, 'channel_id', filter.channelId),
    ...matches(queries, 'state', filter.state),
    ...matches(queries, 'cause', filter.cause),
    ...idsWithin('notice_id', ID_PREFIXES.notice, filter.created ?? EVER),
  ];
  let query = queries.db
    .selectFrom('notices')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('notice_id', 'desc')
    .limit(limit);
  if (conditions.length > 0) query = query.where(allOf(conditions));
  if (after !== undefined) query = query.where('notice_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Stores the notices whose channel does not have one about their cause yet. */
export async function createMany(
  tx: Queries,
  tenantId: TenantId,
  notices: readonly NoticeRecord[],
): Promise<void> {
  await tx.insertIgnoringConflicts(
    'notices',
    ['tenant_id', 'channel_id', 'cause_key'],
    notices.map((notice) => toRow(tenantId, notice)),
  );
}

/** Lists the channels that have a notice whose key begins like this, of this severity if one is given. */
export async function listTold(
  queries: ReadQueries,
  tenantId: TenantId,
  about: { channelIds: readonly string[]; keyPrefix: string; severity?: Severity },
): Promise<Set<string>> {
  const { channelIds, keyPrefix, severity } = about;
  let query = queries.db
    .selectFrom('notices')
    .select('channel_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('channel_id', channelIds))
    .where('cause_key', '>=', keyPrefix)
    .where('cause_key', '<', `${keyPrefix}~`);
  if (severity !== undefined) query = query.where('severity', '=', severity);
  const rows = await query.execute();
  return new Set(rows.map((row) => row.channel_id));
}

/** Makes notices that wait for their first attempt, and whose key begins like this, more severe, and due. */
export async function raiseWaiting(
  tx: Queries,
  tenantId: TenantId,
  raise: Pick<NoticeRecord, 'severity' | 'message'> & {
    channelIds: readonly string[];
    keyPrefix: string;
    nowMs: number;
  },
): Promise<void> {
  const { channelIds, keyPrefix, severity, nowMs } = raise;
  await tx.db
    .updateTable('notices')
    .set({ severity, message: toPlainText(raise.message), due_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('channel_id', channelIds))
    .where('cause_key', '>=', keyPrefix)
    .where('cause_key', '<', `${keyPrefix}~`)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where(tx.anyOf('severity', below(severity)))
    .execute();
}

/** Why a message is not retried. A message without an outcome yet is given up when its next attempt fails. */
export const REPLACED = 'Replaced by a later notice about the same';

/**
 * Stops the retries of messages that a later notice about the same has made wrong, also of those whose attempt is under
 * way or comes first. The later notice is not merged into the retried message: the receiver may already have that message,
 * and would take the merged one for a duplicate.
 */
export async function giveUpOutdated(
  tx: Queries,
  tenantId: TenantId,
  news: Pick<NoticeRecord, 'severity' | 'resourceId'> & { channelIds: readonly string[] },
): Promise<void> {
  const { channelIds, severity, resourceId } = news;
  const outdated = tx.db
    .updateTable('notices')
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('channel_id', channelIds))
    .where((row) =>
      resourceId === null
        ? row('cause', 'in', ['protection_degraded', 'protection_restored'])
        : row.and([
            row('resource_id', '=', resourceId),
            row.or([row('cause', '=', 'incident_resolved'), tx.anyOf('severity', below(severity))]),
          ]),
    );
  await outdated
    .set({ state: 'failed', due_at: null, last_error: REPLACED })
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .execute();
  await outdated.set({ last_error: REPLACED }).where('state', 'in', ['waiting', 'sending']).execute();
}

function below(severity: Severity): Severity[] {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(severity));
}

/** Lets the waiting notices of a channel be considered again. */
export async function reconsider(
  tx: Queries,
  tenantId: TenantId,
  { channelId, nowMs }: { channelId: string; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('notices')
    .set({ due_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Removes the notices of a channel. */
export async function removeOfChannel(tx: Queries, tenantId: TenantId, channelId: string): Promise<void> {
  await ofChannel(tx, tenantId, channelId).execute();
}

/** Removes the notices of a channel that wait, and those whose lease has ended. */
export async function removeUnsent(
  tx: Queries,
  tenantId: TenantId,
  { channelId, nowMs }: { channelId: string; nowMs: number },
): Promise<void> {
  await ofChannel(tx, tenantId, channelId)
    .where((row) =>
      row.or([
        row('state', '=', 'waiting'),
        row.and([row('state', '=', 'sending'), row('due_at', '<=', nowMs)]),
      ]),
    )
    .execute();
}

function ofChannel({ db }: Queries, tenantId: TenantId, channelId: string) {
  return db.deleteFrom('notices').where('tenant_id', '=', tenantId).where('channel_id', '=', channelId);
}

/** Lists the ids of the oldest notices before another one. */
export async function listBefore(
  { db }: ReadQueries,
  tenantId: TenantId,
  { firstKeptId, limit }: { firstKeptId: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('notices')
    .select('notice_id')
    .where('tenant_id', '=', tenantId)
    .where('notice_id', '<', firstKeptId)
    .orderBy('notice_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.notice_id);
}

/** Removes notices by id. */
export async function removeMany(
  tx: Queries,
  tenantId: TenantId,
  noticeIds: readonly string[],
): Promise<void> {
  await tx.db
    .deleteFrom('notices')
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('notice_id', noticeIds))
    .execute();
}

/** Removes some of the notices about incidents. Returns how many, and the digests that repeat them. */
export async function removeSomeAbout(
  tx: Queries,
  tenantId: TenantId,
  { incidentIds, limit }: { incidentIds: readonly string[]; limit: number },
): Promise<{ removed: number; digestIds: string[] }> {
  // Locked, so that no digest takes them up meanwhile.
  const query = tx.db
    .selectFrom('notices')
    .select(['notice_id', 'digest_id'])
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('resource_id', incidentIds))
    .limit(limit);
  const rows = await forUpdate(tx, query).execute();
  const noticeIds = rows.map((row) => row.notice_id);
  await removeMany(tx, tenantId, noticeIds);
  return { removed: rows.length, digestIds: [...new Set(rows.flatMap((row) => row.digest_id ?? []))] };
}

/** Removes digests. Their other notices are due again unless the digest was sent or given up. Returns how many it removed. */
export async function removeDigests(
  tx: Queries,
  tenantId: TenantId,
  { digestIds, nowMs }: { digestIds: readonly string[]; nowMs: number },
): Promise<number> {
  const query = tx.db
    .selectFrom('notices')
    .select(['notice_id', 'state'])
    .where('tenant_id', '=', tenantId)
    .where(tx.anyOf('notice_id', digestIds));
  const digests = await forUpdate(tx, query).execute();
  const unsent = digests.filter(({ state }) => state === 'waiting' || state === 'sending');
  await tx.db
    .updateTable('notices')
    .set({ state: 'waiting', due_at: nowMs, digest_id: null })
    .where('tenant_id', '=', tenantId)
    .where(
      tx.anyOf(
        'digest_id',
        unsent.map((row) => row.notice_id),
      ),
    )
    .execute();
  await removeMany(
    tx,
    tenantId,
    digests.map((row) => row.notice_id),
  );
  return digests.length;
}

export function toRow(tenantId: TenantId, notice: NoticeRecord): Row<'notices'> {
  return {
    tenant_id: tenantId,
    notice_id: notice.noticeId,
    channel_id: notice.channelId,
    cause: notice.cause,
    cause_key: notice.causeKey,
    severity: notice.severity,
    resource_id: notice.resourceId,
    message: notice.message,
    happened_at: notice.happenedAtMs,
    state: notice.state,
    due_at: notice.dueAtMs,
    attempts: notice.attempts,
    started_at: notice.startedAtMs,
    last_error: notice.lastError,
    digest_id: notice.digestId,
    created_at: notice.createdAtMs,
    sent_at: notice.sentAtMs,
  };
}

export function toRecord(row: Row<'notices'>): NoticeRecord {
  return {
    noticeId: row.notice_id,
    channelId: row.channel_id,
    cause: row.cause as NoticeCause,
    causeKey: row.cause_key,
    severity: row.severity as Severity,
    resourceId: row.resource_id,
    message: row.message,
    happenedAtMs: row.happened_at,
    state: row.state as NoticeState,
    dueAtMs: row.due_at,
    attempts: row.attempts,
    startedAtMs: row.started_at,
    lastError: row.last_error,
    digestId: row.digest_id,
    createdAtMs: row.created_at,
    sentAtMs: row.sent_at,
  };
}
