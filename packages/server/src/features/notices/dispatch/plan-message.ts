import type { NoticeChannelRecord } from '../channels/notice-channel.ts';
import { breaksThrough, findQuietEnd } from '../channels/quiet-hours.ts';
import { ENDING_CAUSES, type NoticeRecord } from '../notice.ts';

export const HOUR_MS = 3_600_000;

/** They report the end of what another notice reports. */
const ENDS: ReadonlySet<string> = new Set(ENDING_CAUSES);

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
 * in the limit that its last attempt has taken. That something has ended is not sent before what waits for its retry,
 * which may be its beginning.
 *
 * @param due what may be sent by now, the most severe first
 * @param startedAtMs the times of the last attempts of the messages of the last hour, oldest first, without tests
 * @param retryAtMs when all messages that have failed have their next attempt; undefined if none has to wait for it
 */
export function planMessage(
  channel: Pick<NoticeChannelRecord, 'quietHours' | 'maxPerHour'>,
  {
    due,
    startedAtMs,
    retryAtMs,
    nowMs,
  }: {
    due: readonly NoticeRecord[];
    startedAtMs: readonly number[];
    retryAtMs: number | undefined;
    nowMs: number;
  },
): MessagePlan {
  const urgent = due.find(({ state, cause }) => state === 'sending' || cause === 'test');
  if (urgent) return { next: { kind: 'single', notice: urgent }, postponed: [], untilMs: nowMs };
  const { quietHours, maxPerHour } = channel;
  const quietEndMs = quietHours ? findQuietEnd(quietHours, nowMs) : undefined;
  const isDelayed = ({ severity }: NoticeRecord) =>
    quietHours !== null && quietEndMs !== undefined && !breaksThrough(quietHours, severity);
  const isBehindRetry = ({ cause, attempts }: NoticeRecord) =>
    retryAtMs !== undefined && attempts === 0 && ENDS.has(cause);
  const isReady = (notice: NoticeRecord) => !isDelayed(notice) && !isBehindRetry(notice);
  const ready = due.filter(isReady);
  const free = maxPerHour - startedAtMs.length;
  // What waits for the later of the two is considered again earlier than need be, and then delayed.
  const laterMs = Math.min(quietEndMs ?? Infinity, retryAtMs ?? Infinity);
  const later = {
    postponed: due.filter((notice) => !isReady(notice)),
    untilMs: Number.isFinite(laterMs) ? laterMs : nowMs,
  };
  const hasPlace = ({ startedAtMs: lastMs }: NoticeRecord) =>
    free > 0 || (free === 0 && lastMs !== null && lastMs > nowMs - HOUR_MS);
  const retry = ready.find((notice) => notice.attempts > 0 && hasPlace(notice));
  if (retry) return { next: { kind: 'single', notice: retry }, ...later };
  if (ready.length > 0 && free <= 0) {
    // The same is true of this.
    const untilMs = (startedAtMs[startedAtMs.length - maxPerHour] ?? nowMs) + HOUR_MS;
    return { next: { kind: 'none' }, postponed: due, untilMs };
  }
  return { next: nextOf(ready, free), ...later };
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
