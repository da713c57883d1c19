import type { NoticeChannelKind, NoticeChannelStatus, NoticeTopic, Severity } from '@tps/contract';
import { forUpdate, prepareQuery, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ChannelFilter, NoticeChannelRecord } from './notice-channel.ts';
import type { QuietHoursRecord } from './quiet-hours.ts';

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  channelId: string,
): Promise<NoticeChannelRecord | undefined> {
  const row = await byId(queries, tenantId, channelId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a channel and locks it until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  channelId: string,
): Promise<NoticeChannelRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, channelId)).executeTakeFirst();
  return row && toRecord(row);
}

export async function listByIds(
  queries: ReadQueries,
  tenantId: TenantId,
  channelIds: readonly string[],
): Promise<NoticeChannelRecord[]> {
  const rows = await queries.db
    .selectFrom('notice_channels')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('channel_id', channelIds))
    .execute();
  return rows.map(toRecord);
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<NoticeChannelRecord[]> {
  let query = queries.db
    .selectFrom('notice_channels')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('channel_id', 'desc')
    .limit(limit);
  if (after !== undefined) query = query.where('channel_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Lists what the active channels of the tenant want to know. */
export async function listActive(queries: ReadQueries, tenantId: TenantId): Promise<ChannelFilter[]> {
  const rows = await selectActive(queries, { tenantId });
  return rows.map((row) => ({
    channelId: row.channel_id,
    topics: JSON.parse(row.topics) as NoticeTopic[],
    minSeverity: row.min_severity as Severity,
  }));
}

const selectActive = prepareQuery((queries, { tenantId }: { tenantId: TenantId }) =>
  queries.db
    .selectFrom('notice_channels')
    .select(['channel_id', 'topics', 'min_severity'])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active'),
);

/** Lists the tenants with an active channel. */
export async function listTenants({ db }: ReadQueries): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('notice_channels')
    .select('tenant_id')
    .distinct()
    .where('status', '=', 'active')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}

export async function count(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const { total } = await queries.db
    .selectFrom('notice_channels')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Creates the channel, or replaces it. */
export async function save(tx: Queries, tenantId: TenantId, channel: NoticeChannelRecord): Promise<void> {
  await tx.upsertMany('notice_channels', ['tenant_id', 'channel_id'], [toRow(tenantId, channel)]);
}

export async function remove(tx: Queries, tenantId: TenantId, channelId: string): Promise<void> {
  await tx.db
    .deleteFrom('notice_channels')
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId)
    .execute();
}

/** Lists the channels of all tenants whose target is sealed under another key than this one. */
export async function listOutsideKey(
  { db }: ReadQueries,
  keyId: string,
): Promise<{ tenantId: TenantId; channelId: string }[]> {
  const rows = await db
    .selectFrom('notice_channels')
    .select(['tenant_id', 'channel_id'])
    .where('sealed_under', '!=', keyId)
    .orderBy('tenant_id')
    .orderBy('channel_id')
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, channelId: row.channel_id }));
}

/** Counts the targets that are sealed under none of these keys. */
export async function countOutsideKeys(queries: ReadQueries, keyIds: readonly string[]): Promise<number> {
  const { total } = await queries.db
    .selectFrom('notice_channels')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('sealed_under', 'is not', null)
    .where((row) => row.not(queries.anyOf('sealed_under', keyIds)))
    .executeTakeFirstOrThrow();
  return Number(total);
}

function byId({ db }: ReadQueries, tenantId: TenantId, channelId: string) {
  return db
    .selectFrom('notice_channels')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('channel_id', '=', channelId);
}

function toRow(tenantId: TenantId, channel: NoticeChannelRecord): Row<'notice_channels'> {
  const { target, quietHours } = channel;
  return {
    tenant_id: tenantId,
    channel_id: channel.channelId,
    name: channel.name,
    kind: channel.kind,
    address: channel.address,
    url_origin: channel.urlOrigin,
    sealed_under: target?.keyId ?? null,
    sealed_target: target?.bytes ?? null,
    topics: JSON.stringify(channel.topics),
    min_severity: channel.minSeverity,
    quiet_hours: quietHours && JSON.stringify(quietHours),
    max_per_hour: channel.maxPerHour,
    status: channel.status,
    version: channel.version,
    created_at: channel.createdAtMs,
    updated_at: channel.updatedAtMs,
  };
}

function toRecord(row: Row<'notice_channels'>): NoticeChannelRecord {
  const { sealed_under: keyId, sealed_target: bytes } = row;
  return {
    channelId: row.channel_id,
    name: row.name,
    kind: row.kind as NoticeChannelKind,
    address: row.address,
    urlOrigin: row.url_origin,
    target: keyId === null || bytes === null ? null : { keyId, bytes: Buffer.from(bytes) },
    topics: JSON.parse(row.topics) as NoticeTopic[],
    minSeverity: row.min_severity as Severity,
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHoursRecord),
    maxPerHour: row.max_per_hour,
    status: row.status as NoticeChannelStatus,
    version: row.version,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
