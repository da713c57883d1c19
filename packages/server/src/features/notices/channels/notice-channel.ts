import type {
  NoticeChannel,
  NoticeChannelChange,
  NoticeChannelKind,
  NoticeChannelStatus,
  NoticeTopic,
  Severity,
} from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { SealedSecret } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { type QuietHoursRecord, toQuietHours, toQuietHoursRecord } from './quiet-hours.ts';

export interface NoticeChannelRecord {
  readonly channelId: string;
  readonly name: string;
  readonly kind: NoticeChannelKind;
  /** Null unless the kind is `email`. */
  readonly address: string | null;
  /** Null for `email`. */
  readonly urlOrigin: string | null;
  /** The encrypted `ChannelTarget`; null for `email`. */
  readonly target: SealedSecret | null;
  readonly topics: readonly NoticeTopic[];
  readonly minSeverity: Severity;
  readonly quietHours: QuietHoursRecord | null;
  readonly maxPerHour: number;
  readonly status: NoticeChannelStatus;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Where a `slack` or `webhook` channel posts to. */
export interface ChannelTarget {
  readonly url: string;
  /** Signs the posts of a `webhook` channel. */
  readonly secret: string | null;
}

/** A target as it is stored. */
export type NewTarget = Pick<NoticeChannelRecord, 'target' | 'urlOrigin'>;

/** What a channel wants to know. */
export type ChannelFilter = Pick<NoticeChannelRecord, 'channelId' | 'topics' | 'minSeverity'>;

/** Whether the channel reports this. */
export function wants(
  { topics, minSeverity }: ChannelFilter,
  topic: NoticeTopic,
  severity: Severity,
): boolean {
  return topics.includes(topic) && rankOf(severity) >= rankOf(minSeverity);
}

/** Severities in ascending order. */
export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** What the target of a channel is bound to in the store. */
export function targetBinding(tenantId: string, channelId: string): readonly string[] {
  return ['notice_channel', tenantId, channelId];
}

/** Applies a change, and the new target if there is one. Returns the same record if nothing changes. */
export function changeChannel(
  channel: NoticeChannelRecord,
  change: Omit<NoticeChannelChange, 'tenant_id' | 'url' | 'secret'>,
  { target, nowMs }: { target: NewTarget | undefined; nowMs: number },
): NoticeChannelRecord {
  const { quiet_hours: quietHours } = change;
  const after = {
    ...channel,
    ...target,
    name: change.name ?? channel.name,
    address: change.address ?? channel.address,
    topics: change.topics ?? channel.topics,
    minSeverity: change.min_severity ?? channel.minSeverity,
    quietHours: quietHours === undefined ? channel.quietHours : toQuietHoursRecord(quietHours),
    maxPerHour: change.max_per_hour ?? channel.maxPerHour,
    status: change.status ?? channel.status,
  };
  if (JSON.stringify(after) === JSON.stringify(channel)) return channel;
  return { ...after, version: channel.version + 1, updatedAtMs: nowMs };
}

export function etagOf({ version }: Pick<NoticeChannelRecord, 'version'>): string {
  return `"${version}"`;
}

export function toNoticeChannel(channel: NoticeChannelRecord, tenantId: TenantId): NoticeChannel {
  return {
    channel_id: channel.channelId,
    tenant_id: tenantId,
    name: channel.name,
    kind: channel.kind,
    address: channel.address,
    url_origin: channel.urlOrigin,
    topics: [...channel.topics],
    min_severity: channel.minSeverity,
    quiet_hours: toQuietHours(channel.quietHours),
    max_per_hour: channel.maxPerHour,
    status: channel.status,
    version: channel.version,
    created_at: toTimestamp(channel.createdAtMs),
    updated_at: toTimestamp(channel.updatedAtMs),
  };
}
