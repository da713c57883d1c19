import type { WebhookKey } from '../webhook.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/**
 * How a receiver answers: `unproven` until it has answered once, `slow` when its last answer took long, or one that is
 * awaited does. Nothing else is known of a receiver before it is called, and one that hangs does so for ten seconds.
 */
export type ReceiverHealth = 'unproven' | 'prompt' | 'slow';

/** Deliveries under way at once. What is known not to be prompt may never take all of it. */
export const LIMITS = {
  inAll: { total: 64, unproven: 48, slow: 16 },
  perTenant: { total: 16, unproven: 12, slow: 4 },
  perWebhook: 8,
  /** Claimed by this process: under way or waiting for their turn. */
  claimed: 1024,
  /** Of these, what waits for receivers that are not prompt: it may wait for long. */
  waitingNotPrompt: 128,
} as const;

/** An answer that takes longer than this makes a receiver slow. */
export const SLOW_MS = 1_000;

export interface Counts {
  total: number;
  unproven: number;
  slow: number;
}

/** What a tenant has under way, and how many of its webhooks were slow when last heard of. */
export interface TenantCounts extends Counts {
  slowQueues: number;
}

export interface WebhookQueue extends WebhookKey {
  /** Claimed and not yet begun. */
  readonly waiting: ClaimedDelivery[];
  /** Begun, with the time, the oldest first. */
  readonly underWay: Map<ClaimedDelivery, number>;
  /** Deliveries at once: doubles with each success up to the bound, and shrinks with each failure. */
  limit: number;
  health: ReceiverHealth;
  /** Whether the store may hold deliveries of it that are due. */
  mayHaveMore: boolean;
  /** When retries of it fall due. */
  readonly retriesAtMs: number[];
}

/**
 * Whether one more may begin that is not prompt. An unproven receiver that is awaited for long becomes a slow one: it
 * goes on counting among the unproven, or the next ones would come into its place until those that hang have all.
 */
export function hasCapacity(counts: Counts, bounds: Counts, health: 'unproven' | 'slow'): boolean {
  if (health === 'slow' && counts.slow >= bounds.slow) return false;
  return counts.unproven + counts.slow < bounds.unproven;
}

/**
 * How many may be claimed: while some are under way, the next wait here, so that few transactions fetch many. All of them
 * can be attempted before their lease ends: up to sixteen rounds of less than a second, or two of thirteen.
 */
function capacityOf({ limit, health }: WebhookQueue): number {
  return limit * (health === 'prompt' ? 16 : 2);
}

export function freeCapacityOf(queue: WebhookQueue): number {
  return capacityOf(queue) - sizeOf(queue);
}

export function sizeOf(queue: WebhookQueue): number {
  return queue.waiting.length + queue.underWay.size;
}

/** Half of the capacity must be free, so that a claim is worth its transaction. */
export function isHalfFree(queue: WebhookQueue): boolean {
  return freeCapacityOf(queue) * 2 >= capacityOf(queue);
}

export function wantsMore(queue: WebhookQueue, nowMs: number): boolean {
  return isHalfFree(queue) && (queue.mayHaveMore || queue.retriesAtMs.some((atMs) => atMs <= nowMs));
}

export function isIdle(queue: WebhookQueue): boolean {
  return sizeOf(queue) === 0 && queue.retriesAtMs.length === 0 && !queue.mayHaveMore;
}

export function dropUntil(timesMs: number[], nowMs: number): void {
  const later = timesMs.filter((atMs) => atMs > nowMs);
  timesMs.splice(0, timesMs.length, ...later);
}
