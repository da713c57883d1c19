import type { WebhookKey } from '../webhook.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/**
 * How a receiver responds: `unproven` until its first response, `slow` when its last response took long or a
 * pending one does. Nothing else is known about a receiver before it is called, and one that hangs does so for ten
 * seconds.
 */
export type ReceiverHealth = 'unproven' | 'prompt' | 'slow';

/** Receivers that are not prompt have a separate capacity, so they do not delay prompt ones. */
export type Capacity = 'prompt' | 'doubtful';

/** Numbers of deliveries under way. */
export type Counts = Record<Capacity, number>;

/** Maximum numbers of concurrent deliveries. */
export const LIMITS = {
  prompt: { perTenant: 64, inAll: 256 },
  /** More in total, because a request that waits for its response costs a socket but no processor time. */
  doubtful: { perTenant: 64, inAll: 512 },
  perWebhook: 8,
  /**
   * Claimed by this process: under way or waiting. Webhooks with prompt receivers share the number equally, so that each
   * claim fetches several deliveries. On SQLite, a claim of ten takes 14 µs per delivery, a claim of one 80 µs.
   */
  claimed: 2048,
} as const;

/** A response that takes longer than this makes a receiver slow. */
export const SLOW_MS = 1_000;
/** Claimed deliveries per concurrent one. A prompt receiver takes less than a second each, so the lease is long enough. */
const CLAIMED_PER_PLACE = 16;

export interface WebhookQueue extends WebhookKey {
  /** Claimed but not started. */
  readonly waiting: ClaimedDelivery[];
  /** Started deliveries with their start time, oldest first. */
  readonly underWay: Map<ClaimedDelivery, number>;
  /** Shared by the queues of the tenant. */
  readonly ofTenant: Counts;
  /** Concurrent deliveries: doubles with each success up to the maximum, shrinks with each failure. */
  limit: number;
  health: ReceiverHealth;
  /** Whether the store may hold due deliveries of this webhook. */
  mayHaveMore: boolean;
  /** When its retries are due. */
  readonly retriesAtMs: number[];
}

export function capacityOf({ health }: WebhookQueue): Capacity {
  return health === 'prompt' ? 'prompt' : 'doubtful';
}

export function sizeOf(queue: WebhookQueue): number {
  return queue.waiting.length + queue.underWay.size;
}

/**
 * Returns how many more deliveries to claim. For a prompt receiver more than can start, but 0 unless at least half of its
 * share is free, so that a claim is worth its statement. For others only what can start, because they can take long.
 */
export function freeOf(queue: WebhookQueue, share: number): number {
  if (queue.health !== 'prompt') return Math.max(0, queue.limit - sizeOf(queue));
  const most = Math.min(queue.limit * CLAIMED_PER_PLACE, share);
  const free = most - sizeOf(queue);
  return free * 2 >= most ? free : 0;
}

/** Whether the store may hold a delivery that is due now. */
export function hasDue({ mayHaveMore, retriesAtMs }: WebhookQueue, nowMs: number): boolean {
  return mayHaveMore || retriesAtMs.some((atMs) => atMs <= nowMs);
}

export function isIdle(queue: WebhookQueue): boolean {
  return sizeOf(queue) === 0 && queue.retriesAtMs.length === 0 && !queue.mayHaveMore;
}

export function dropUntil(timesMs: number[], nowMs: number): void {
  const later = timesMs.filter((atMs) => atMs > nowMs);
  timesMs.splice(0, timesMs.length, ...later);
}
