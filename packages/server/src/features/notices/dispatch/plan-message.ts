import type { NoticeChannelRecord } from '../channels/notice-channel.ts';
import { breaksThrough, findQuietEnd } from '../channels/quiet-hours.ts';
import type { NoticeRecord } from '../notice.ts';

export const HOUR_MS = 3_600_000;

/** The next message to a channel, and what has to wait. */
export interface MessagePlan {
  readonly next:
    | { readonly kind: 'none' }
    | { readonly kind: 'single'; readonly notice: NoticeRecord }
    | { readonly kind: 'digest'; readonly notices: readonly [NoticeRecord, ...NoticeRecord[]] };
  readonly postponed: readonly NoticeRecord[];
  /** When the postponed notices are considered again. */
  readonly untilMs: number;
}

/**
 * Decides what a channel gets next. A retry and a test are sent at once. Quiet hours postpone what does not break through
 * them. The limit per hour never is exceeded: when more notices are ready than it allows, or when notices had to wait, they
 * are sent as one digest.
 *
 * @param due what may be sent by now, oldest first
 * @param startedAtMs the times at which messages of the last hour were first sent, oldest first, without tests
 */
export function planMessage(
  channel: Pick<NoticeChannelRecord, 'quietHours' | 'maxPerHour'>,
  {
    due,
    startedAtMs,
    nowMs,
  }: { due: readonly NoticeRecord[]; startedAtMs: readonly number[]; nowMs: number },
): MessagePlan {
  const urgent = due.find(({ attempts, cause }) => attempts > 0 || cause === 'test');
  if (urgent) return { next: { kind: 'single', notice: urgent }, postponed: [], untilMs: nowMs };
  const { quietHours, maxPerHour } = channel;
  const quietEndMs = quietHours ? findQuietEnd(quietHours, nowMs) : undefined;
  const isDelayed = ({ severity }: NoticeRecord) =>
    quietHours !== null && quietEndMs !== undefined && !breaksThrough(quietHours, severity);
  const delayed = due.filter(isDelayed);
  const ready = due.filter((notice) => !isDelayed(notice));
  const free = maxPerHour - startedAtMs.length;
  if (ready.length > 0 && free <= 0) {
    // Those that quiet hours delay are considered again earlier than need be, and then delayed.
    const untilMs = (startedAtMs[startedAtMs.length - maxPerHour] ?? nowMs) + HOUR_MS;
    return { next: { kind: 'none' }, postponed: due, untilMs };
  }
  return { next: nextOf(ready, free), postponed: delayed, untilMs: quietEndMs ?? nowMs };
}

function nextOf(ready: readonly NoticeRecord[], free: number): MessagePlan['next'] {
  const [first, ...others] = ready;
  if (!first) return { kind: 'none' };
  const isBacklog = others.length > 0 && ready.some(hasWaited);
  if (isBacklog || ready.length > free) {
    if (others.length > 0) return { kind: 'digest', notices: [first, ...others] };
  }
  return { kind: 'single', notice: first };
}

function hasWaited({ dueAtMs, createdAtMs }: NoticeRecord): boolean {
  return dueAtMs !== null && dueAtMs > createdAtMs;
}
