import type { WebhookKey } from '../webhook.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/**
 * How a receiver responds: `unproven` until its first response, `slow` when its last response took long or a
 * pending one does. Nothing else is known about a receiver before it is called, and one that hangs does so for ten
 * seconds.
 */
export type ReceiverHealth = 'unproven' | 'prompt' | 'slow';

/** Maximum numbers of concurrent deliveries. Receivers that are not prompt can never take the whole capacity. */
export const LIMITS = {
  inAll: { total: 64, unproven: 48, slow: 16 },
  perTenant: { total: 16, unproven: 12, slow: 4 },
  perWebhook: 8,
  /** Slow deliveries of a tenant with few slow receivers, while no more than these are slow in total. */
  slowWhileFew: 8,
  /** Claimed by this process: under way or waiting. */
  claimed: 1024,
  /** The part of it that may wait for receivers that are not prompt, which can take long. */
  waitingNotPrompt: 128,
} as const;

/** A response that takes longer than this makes a receiver slow. */
export const SLOW_MS = 1_000;

export interface Counts {
  total: number;
  unproven: number;
  slow: number;
}

/** What a tenant has under way, and how many of its webhooks were slow at the last attempt. */
export interface TenantCounts extends Counts {
  slowQueues: number;
}

export interface WebhookQueue extends WebhookKey {
  /** Claimed but not started. */
  readonly waiting: ClaimedDelivery[];
  /** Started deliveries with their start time, oldest first. */
  readonly underWay: Map<ClaimedDelivery, number>;
  /** Concurrent deliveries: doubles with each success up to the maximum, shrinks with each failure. */
  limit: number;
  health: ReceiverHealth;
  /** Whether the store may hold due deliveries of this webhook. */
  mayHaveMore: boolean;
  /** When its retries are due. */
  readonly retriesAtMs: number[];
}

/**
 * Whether one more delivery to a receiver that is not prompt may start. An unproven receiver that hangs becomes
 * slow but still counts as unproven; otherwise new ones would take its place until hanging receivers use all the
 * capacity.
 */
export function hasCapacity(counts: Counts, bounds: Counts, health: 'unproven' | 'slow'): boolean {
  if (health === 'slow' && counts.slow >= bounds.slow) return false;
  return counts.unproven + counts.slow < bounds.unproven;
}

/**
 * How many deliveries may be claimed: while some are under way, the next ones wait here, so that few transactions
 * fetch many. All of them can be attempted before their lease ends: up to sixteen rounds of less than a second, or
 * two of thirteen seconds.
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

/** At least half of the capacity must be free, so that a claim is worth its transaction. */
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
