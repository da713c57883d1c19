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
 * Decides what a channel gets next. A test, and a message whose sender has not recorded an outcome, are sent at once. Quiet
 * hours postpone what does not break through them. The limit per hour never is exceeded: when more notices are ready than
 * it allows, or when notices had to wait, they are sent as one digest. A retry is a separate message, and keeps the place
 * in the limit that its last attempt has taken.
 *
 * @param due what may be sent by now, the most severe first
 * @param startedAtMs the times of the last attempts of the messages of the last hour, oldest first, without tests
 */
export function planMessage(
  channel: Pick<NoticeChannelRecord, 'quietHours' | 'maxPerHour'>,
  {
    due,
    startedAtMs,
    nowMs,
  }: { due: readonly NoticeRecord[]; startedAtMs: readonly number[]; nowMs: number },
): MessagePlan {
  const urgent = due.find(({ state, cause }) => state === 'sending' || cause === 'test');
  if (urgent) return { next: { kind: 'single', notice: urgent }, postponed: [], untilMs: nowMs };
  const { quietHours, maxPerHour } = channel;
  const quietEndMs = quietHours ? findQuietEnd(quietHours, nowMs) : undefined;
  const isDelayed = ({ severity }: NoticeRecord) =>
    quietHours !== null && quietEndMs !== undefined && !breaksThrough(quietHours, severity);
  const delayed = due.filter(isDelayed);
  const ready = due.filter((notice) => !isDelayed(notice));
  const free = maxPerHour - startedAtMs.length;
  const untilQuietEnds = { postponed: delayed, untilMs: quietEndMs ?? nowMs };
  const hasPlace = ({ startedAtMs: lastMs }: NoticeRecord) =>
    free > 0 || (free === 0 && lastMs !== null && lastMs > nowMs - HOUR_MS);
  const retry = ready.find((notice) => notice.attempts > 0 && hasPlace(notice));
  if (retry) return { next: { kind: 'single', notice: retry }, ...untilQuietEnds };
  if (ready.length > 0 && free <= 0) {
    // Those that quiet hours delay are considered again earlier than need be, and then delayed.
    const untilMs = (startedAtMs[startedAtMs.length - maxPerHour] ?? nowMs) + HOUR_MS;
    return { next: { kind: 'none' }, postponed: due, untilMs };
  }
  return { next: nextOf(ready, free), ...untilQuietEnds };
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
