import type { NoticeCause, NoticeTopic, Severity } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import { createId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as channelStore from './channels/channel-store.ts';
import { wants } from './channels/notice-channel.ts';
import { newNotice } from './notice.ts';
import * as noticeStore from './notice-store.ts';

/** Something that channels may want to know. */
export interface NewCause {
  readonly cause: Exclude<NoticeCause, 'digest' | 'test'>;
  /** Identifies it: each channel gets one notice about it. */
  readonly key: string;
  /** Begins the key of what this ends: only the channels that know of that get the notice. */
  readonly endsKey?: string;
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
 * is on its way. A cause that a channel has a notice of already adds none.
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
  for (const { cause, key, endsKey, ...about } of causes) {
    const wanting = channels
      .filter((channel) => (endsKey !== undefined ? true : wants(channel, TOPICS[cause], about.severity)))
      .map(({ channelId }) => channelId);
    const told =
      endsKey === undefined
        ? undefined
        : await noticeStore.listTold(tx, tenantId, { channelIds: wanting, keyPrefix: endsKey });
    for (const channelId of wanting) {
      if (told && !told.has(channelId)) continue;
      const noticeId = createId(ID_PREFIXES.notice, nowMs);
      notices.push(newNotice({ ...about, noticeId, channelId, cause, causeKey: key, nowMs }));
    }
  }
  await noticeStore.createMany(tx, tenantId, notices);
}
