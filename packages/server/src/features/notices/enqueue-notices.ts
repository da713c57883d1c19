import type { NoticeCause, NoticeTopic, Severity } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import { createId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as channelStore from './channels/channel-store.ts';
import { type ChannelFilter, wants } from './channels/notice-channel.ts';
import { newNotice } from './notice.ts';
import * as noticeStore from './notice-store.ts';

/** Something that channels may want to know. */
export interface NewCause {
  readonly cause: Exclude<NoticeCause, 'digest' | 'test'>;
  /** Identifies it: each channel gets one notice about it. */
  readonly key: string;
  /** Begins the key of what this ends: only the channels that know of that get the notice. */
  readonly endsKey?: string;
  /** Begins the key of what this makes more severe: a notice of that which still waits becomes this one. */
  readonly raisesKey?: string;
  /** Whether notices about the same may be wrong now: those that wait for their repeat are given up. */
  readonly isLaterNews?: boolean;
  readonly severity: Severity;
  readonly resourceId: string | null;
  readonly message: string;
  readonly happenedAtMs: number;
}

const TOPICS: Readonly<Record<NewCause['cause'], NoticeTopic>> = {
  incident_opened: 'incidents',
  incident_resolved: 'incidents',
  protection_degraded: 'protection',
  protection_restored: 'protection',
};

/**
 * Stores a notice of each cause for each active channel that wants it, in the transaction of the cause: what has happened
 * is on its way. A cause that a channel has a notice of already adds none, and one that raises what still waits replaces it.
 */
export async function enqueueNotices(
  tx: Queries,
  tenantId: TenantId,
  { causes, nowMs }: { causes: readonly NewCause[]; nowMs: number },
): Promise<void> {
  if (causes.length === 0) return;
  const channels = await channelStore.listActive(tx, tenantId);
  if (channels.length === 0) return;
  const notices = [];
  for (const each of causes) {
    const { cause, key, endsKey, raisesKey, isLaterNews, ...about } = each;
    for (const channelId of await listWanting(tx, tenantId, { channels, cause: each, nowMs })) {
      const noticeId = createId(ID_PREFIXES.notice, nowMs);
      notices.push(newNotice({ ...about, noticeId, channelId, cause, causeKey: key, nowMs }));
    }
  }
  await noticeStore.createMany(tx, tenantId, notices);
}

/** Lists the channels that get a new notice of a cause. */
async function listWanting(
  tx: Queries,
  tenantId: TenantId,
  { channels, cause, nowMs }: { channels: readonly ChannelFilter[]; cause: NewCause; nowMs: number },
): Promise<string[]> {
  const { endsKey, raisesKey, severity, message } = cause;
  if (endsKey !== undefined) {
    const channelIds = channels.map(({ channelId }) => channelId);
    return [...(await noticeStore.listTold(tx, tenantId, { channelIds, keyPrefix: endsKey }))];
  }
  const channelIds = channels
    .filter((channel) => wants(channel, TOPICS[cause.cause], severity))
    .map(({ channelId }) => channelId);
  if (channelIds.length === 0) return channelIds;
  const raise = { channelIds, keyPrefix: raisesKey ?? '', severity, message, nowMs };
  if (raisesKey !== undefined) await noticeStore.raiseWaiting(tx, tenantId, raise);
  if (cause.isLaterNews === true) {
    const { resourceId } = cause;
    await noticeStore.giveUpOutdated(tx, tenantId, { channelIds, severity, resourceId });
  }
  if (raisesKey === undefined) return channelIds;
  const told = await noticeStore.listTold(tx, tenantId, raise);
  return channelIds.filter((channelId) => !told.has(channelId));
}
