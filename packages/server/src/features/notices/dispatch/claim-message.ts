import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../../database/index.ts';
import { createId } from '../../../platform/identifiers.ts';
import * as channelStore from '../channels/channel-store.ts';
import type { NoticeChannelRecord } from '../channels/notice-channel.ts';
import type { MailLimit } from '../mail-limit.ts';
import { type NoticeRecord, newDigest } from '../notice.ts';
import * as noticeStore from '../notice-store.ts';
import { findTenantName } from './claim-read-model.ts';
import type { ChannelKey } from './claim-store.ts';
import * as claimStore from './claim-store.ts';
import { HOUR_MS, type MessagePlan, planMessage } from './plan-message.ts';

/** Notices of one digest. What is more makes another one. */
const MAX_PER_DIGEST = 500;

/** A message that this process sends. */
export interface ClaimedMessage extends Pick<ChannelKey, 'tenantId'> {
  readonly tenantName: string;
  readonly channel: NoticeChannelRecord;
  readonly notice: NoticeRecord;
}

/**
 * Claims the next message to a channel, and postpones what has to wait. Locks the channel. Without `withMail`, mails are left.
 * The mails of a tenant to one mailbox are limited besides, because a tenant can create one channel after the other.
 */
export async function claimMessage(
  tx: Queries,
  key: ChannelKey,
  { nowMs, withMail, mailLimit }: { nowMs: number; withMail: boolean; mailLimit: MailLimit },
): Promise<ClaimedMessage | undefined> {
  const { tenantId, channelId } = key;
  const channel = await channelStore.findForUpdate(tx, tenantId, channelId);
  if (channel?.status !== 'active') {
    // Stored by a transaction that began before the channel was removed or paused.
    if (channel) await noticeStore.removeUnsent(tx, tenantId, { channelId, nowMs });
    else await noticeStore.removeOfChannel(tx, tenantId, channelId);
    return undefined;
  }
  if (channel.kind === 'email' && !withMail) return undefined;
  // Another process sends to it. A channel gets one message at a time, so that they arrive in order.
  if (await claimStore.isBusy(tx, key, nowMs)) return undefined;
  const due = await claimStore.listDue(tx, key, { nowMs, limit: MAX_PER_DIGEST });
  const startedAtMs = await claimStore.listStarted(tx, key, nowMs - HOUR_MS);
  const retryAtMs = await claimStore.findLastRetry(tx, key, nowMs);
  const plan = planMessage(channel, { due, startedAtMs, retryAtMs, nowMs });
  const { postponed, untilMs } = plan;
  const noticeIds = postponed.map(({ noticeId }) => noticeId);
  if (noticeIds.length > 0) await claimStore.postpone(tx, tenantId, { noticeIds, untilMs });
  if (plan.next.kind !== 'none' && channel.address !== null) {
    const waitS = await mailLimit.countNotice(tx, { tenantId, address: channel.address });
    if (waitS > 0) {
      const later = { noticeIds: due.map((one) => one.noticeId), untilMs: nowMs + waitS * 1000 };
      await claimStore.postpone(tx, tenantId, later);
      return undefined;
    }
  }
  const notice = await toMessage(tx, key, { plan, nowMs });
  if (!notice) return undefined;
  await claimStore.lease(tx, tenantId, { noticeId: notice.noticeId, nowMs });
  const tenantName = (await findTenantName(tx, tenantId)) ?? tenantId;
  return { tenantId, tenantName, channel, notice: { ...notice, attempts: notice.attempts + 1 } };
}

async function toMessage(
  tx: Queries,
  { tenantId }: ChannelKey,
  { plan: { next }, nowMs }: { plan: MessagePlan; nowMs: number },
): Promise<NoticeRecord | undefined> {
  if (next.kind === 'none') return undefined;
  if (next.kind === 'single') return next.notice;
  const digest = newDigest(next.notices, { noticeId: createId(ID_PREFIXES.notice, nowMs), nowMs });
  const noticeIds = next.notices.map(({ noticeId }) => noticeId);
  await claimStore.saveDigest(tx, tenantId, { digest, noticeIds });
  return digest;
}
