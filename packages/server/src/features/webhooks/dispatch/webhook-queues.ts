import type { TenantId } from '../../../platform/tenant-id.ts';
import { type WebhookKey, webhookKeyOf } from '../webhook.ts';
import type { Candidate } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import {
  type Counts,
  capacityOf,
  dropUntil,
  freeOf,
  hasDue,
  isIdle,
  LIMITS,
  type ReceiverHealth,
  SLOW_MS,
  sizeOf,
  type WebhookQueue,
} from './webhook-queue.ts';

/** Deliveries that a prompt receiver may have claimed even when others use the whole capacity. */
const MIN_PROMPT_CLAIM = 2;
/** More is claimed without delay when this process has claimed at most this many deliveries per delivery under way. */
const FEW_WAITING = 4;
/** Above this number, queues with nothing to send are dropped. */
const MAX_QUEUES = 10_000;

/** The result of an attempt, as far as it affects health and parallelism. */
export interface AttemptProgress {
  readonly isSuccess: boolean;
  readonly durationMs: number;
  /** When a retry is due. */
  readonly retryAtMs: number | undefined;
  /** Whether the receiver asked for no further requests. */
  readonly isSilenced?: boolean;
}

/**
 * Decides which delivery is attempted next: one queue per webhook, round-robin. Has no clock, store or network:
 * times of the store (`nowMs`) and of the process (`monotonicMs`) are passed in.
 */
export class WebhookQueues {
  readonly #queues = new Map<string, WebhookQueue>();
  /** Queues with waiting deliveries, in the order of their turns, so that `next` does not search thousands of empty ones. */
  readonly #ready = new Set<WebhookQueue>();
  readonly #inAll: Counts = { prompt: 0, doubtful: 0 };
  readonly #perTenant = new Map<TenantId, Counts>();
  #claimed = 0;
  /** How many deliveries each webhook may have claimed, as computed when candidates were last chosen. */
  #share: number = LIMITS.claimed;
  /** Claimed deliveries that are not to be attempted now. */
  #unused: ClaimedDelivery[] = [];

  /** Deliveries under way. */
  get underWay(): number {
    return this.#inAll.prompt + this.#inAll.doubtful;
  }

  /** Records that the store may hold deliveries that are due for a webhook. */
  markDue(key: WebhookKey, lastStatus?: ClaimedDelivery['lastStatus']): void {
    const queue = this.#queueOf(key);
    queue.mayHaveMore = true;
    this.#applyLastStatus(queue, lastStatus);
  }

  /** Chooses the webhooks whose deliveries are to be claimed now, and how many of each. */
  chooseCandidates(nowMs: number): Candidate[] {
    this.#share = this.#findShare();
    const chosen: Counts = { prompt: this.#claimed - this.#inAll.doubtful, doubtful: this.#inAll.doubtful };
    const chosenOfTenant = new Map<TenantId, number>();
    const candidates: Candidate[] = [];
    for (const queue of [...this.#queues.values()]) {
      if (!hasDue(queue, nowMs)) continue;
      const { tenantId, webhookId } = queue;
      const capacity = capacityOf(queue);
      const ofTenant = chosenOfTenant.get(tenantId) ?? queue.ofTenant.doubtful;
      const room =
        capacity === 'prompt'
          ? Math.max(LIMITS.claimed - chosen.prompt, sizeOf(queue) === 0 ? MIN_PROMPT_CLAIM : 0)
          : Math.min(LIMITS.doubtful.perTenant - ofTenant, LIMITS.doubtful.inAll - chosen.doubtful);
      const limit = Math.min(freeOf(queue, this.#share), room);
      if (limit <= 0) continue;
      chosen[capacity] += limit;
      if (capacity === 'doubtful') chosenOfTenant.set(tenantId, ofTenant + limit);
      queue.mayHaveMore = false;
      dropUntil(queue.retriesAtMs, nowMs);
      this.#moveToEnd(queue);
      candidates.push({ tenantId, webhookId, limit });
    }
    return candidates;
  }

  /** Adds the deliveries claimed for the candidates. A queue that got as many as its limit may have more. */
  addClaimed(candidates: readonly Candidate[], deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const queue = this.#queueOf(delivery);
      this.#applyLastStatus(queue, delivery.lastStatus);
      queue.waiting.push(delivery);
      this.#ready.add(queue);
    }
    this.#claimed += deliveries.length;
    const limits = new Map(candidates.map((candidate) => [webhookKeyOf(candidate), candidate.limit]));
    for (const delivery of deliveries) {
      const key = webhookKeyOf(delivery);
      const left = (limits.get(key) ?? 0) - 1;
      limits.set(key, left);
      if (left === 0) this.#queueOf(delivery).mayHaveMore = true;
    }
  }

  /** Returns the delivery to begin now, counted as under way; undefined when none waits or the limits are reached. */
  next(monotonicMs: number): ClaimedDelivery | undefined {
    for (const queue of this.#ready) {
      if (!this.#canBegin(queue)) continue;
      const delivery = queue.waiting.shift();
      // The other queues take their turn first.
      this.#ready.delete(queue);
      if (!delivery) continue;
      if (queue.waiting.length > 0) this.#ready.add(queue);
      queue.underWay.set(delivery, monotonicMs);
      this.#count(queue, 1);
      return delivery;
    }
    return undefined;
  }

  /**
   * Removes a finished delivery from its queue and updates the webhook's health and parallelism. Returns whether to
   * claim more at once: the webhook has more deliveries, and few wait here compared with those under way.
   */
  complete(
    delivery: ClaimedDelivery,
    { isSuccess, durationMs, retryAtMs, isSilenced = false }: AttemptProgress,
  ): boolean {
    const queue = this.#queueOf(delivery);
    if (!queue.underWay.delete(delivery)) return false;
    this.#count(queue, -1);
    this.#claimed -= 1;
    const isSlow = durationMs >= SLOW_MS;
    this.#setHealth(queue, isSlow ? 'slow' : 'prompt');
    if (isSuccess) queue.limit = Math.min(LIMITS.perWebhook, queue.limit * 2);
    else queue.limit = isSlow ? 1 : Math.max(1, queue.limit >> 1);
    if (retryAtMs !== undefined) queue.retriesAtMs.push(retryAtMs);
    if (isSilenced) this.#drop(queue, queue.waiting.length);
    const isShort = this.#claimed <= FEW_WAITING * this.underWay;
    return isShort && queue.mayHaveMore && freeOf(queue, this.#share) > 0;
  }

  /** Marks receivers with a long-pending response as slow, before they respond or time out. */
  markSlow(monotonicMs: number): void {
    for (const queue of this.#queues.values()) {
      const [oldest] = queue.underWay.values();
      if (oldest !== undefined && monotonicMs - oldest >= SLOW_MS) this.#setHealth(queue, 'slow');
    }
  }

  /** Removes waiting deliveries whose lease would end before an attempt could, or whose receiver has become slow. */
  takeUnused(leaseNeededUntilMs: number): ClaimedDelivery[] {
    for (const queue of this.#ready) {
      // In claim order: the first has the least time left.
      const count = queue.waiting.findIndex(({ leaseEndsAtMs }) => leaseEndsAtMs >= leaseNeededUntilMs);
      this.#drop(queue, count === -1 ? queue.waiting.length : count);
    }
    return this.#unused.splice(0);
  }

  /** When the first retry is due that can be claimed then; infinity if there are none. */
  nextRetryAtMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      // Without free capacity, the retry waits for an attempt to end, not for a time.
      if (freeOf(queue, this.#share) === 0) continue;
      for (const atMs of queue.retriesAtMs) first = Math.min(first, atMs);
    }
    return first;
  }

  #queueOf(key: WebhookKey): WebhookQueue {
    const name = webhookKeyOf(key);
    const known = this.#queues.get(name);
    if (known) return known;
    if (this.#queues.size >= MAX_QUEUES) this.#dropIdle();
    const queue: WebhookQueue = {
      tenantId: key.tenantId,
      webhookId: key.webhookId,
      waiting: [],
      underWay: new Map(),
      ofTenant: this.#ofTenant(key.tenantId),
      limit: 1,
      health: 'unproven',
      mayHaveMore: false,
      retriesAtMs: [],
    };
    this.#queues.set(name, queue);
    return queue;
  }

  /** The other queues take their turn first. */
  #moveToEnd(queue: WebhookQueue): void {
    const name = webhookKeyOf(queue);
    this.#queues.delete(name);
    this.#queues.set(name, queue);
  }

  /** Returns how many deliveries each webhook may have claimed: all prompt receivers with deliveries share equally. */
  #findShare(): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (queue.health === 'prompt' && !isIdle(queue)) count += 1;
    return Math.max(MIN_PROMPT_CLAIM, Math.floor(LIMITS.claimed / Math.max(1, count)));
  }

  /** Drops the state of webhooks with nothing to send; some of them no longer exist. */
  #dropIdle(): void {
    for (const [name, queue] of this.#queues) if (isIdle(queue)) this.#queues.delete(name);
    const tenants = new Set([...this.#queues.values()].map(({ tenantId }) => tenantId));
    for (const tenantId of this.#perTenant.keys())
      if (!tenants.has(tenantId)) this.#perTenant.delete(tenantId);
  }

  #canBegin(queue: WebhookQueue): boolean {
    if (queue.underWay.size >= queue.limit) return false;
    const capacity = capacityOf(queue);
    const { inAll, perTenant } = LIMITS[capacity];
    return this.#inAll[capacity] < inAll && queue.ofTenant[capacity] < perTenant;
  }

  /** Adopts what another process, or this one before a restart, has learnt about a receiver. */
  #applyLastStatus(queue: WebhookQueue, lastStatus: ClaimedDelivery['lastStatus'] | undefined): void {
    if (queue.health === 'unproven' && lastStatus === 'delivered') this.#setHealth(queue, 'prompt');
  }

  /** Waiting deliveries to a receiver that becomes slow are released, so that others can use their places. */
  #setHealth(queue: WebhookQueue, health: ReceiverHealth): void {
    if (queue.health === health) return;
    const { size } = queue.underWay;
    this.#count(queue, -size);
    queue.health = health;
    this.#count(queue, size);
    if (health === 'slow') this.#drop(queue, queue.waiting.length);
  }

  #drop(queue: WebhookQueue, count: number): void {
    if (count === 0) return;
    this.#unused.push(...queue.waiting.splice(0, count));
    if (queue.waiting.length === 0) this.#ready.delete(queue);
    this.#claimed -= count;
    queue.mayHaveMore = true;
  }

  #count(queue: WebhookQueue, change: number): void {
    const capacity = capacityOf(queue);
    this.#inAll[capacity] += change;
    queue.ofTenant[capacity] += change;
  }

  #ofTenant(tenantId: TenantId): Counts {
    const known = this.#perTenant.get(tenantId);
    if (known) return known;
    const counts = { prompt: 0, doubtful: 0 };
    this.#perTenant.set(tenantId, counts);
    return counts;
  }
}
