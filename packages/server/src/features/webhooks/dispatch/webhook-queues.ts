import { type WebhookKey, webhookKeyOf } from '../webhook.ts';
import type { Candidate } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import {
  type Counts,
  dropUntil,
  freeCapacityOf,
  hasCapacity,
  isHalfFree,
  isIdle,
  LIMITS,
  type ReceiverHealth,
  SLOW_MS,
  sizeOf,
  type TenantCounts,
  type WebhookQueue,
  wantsMore,
} from './webhook-queue.ts';

/** Deliveries that a prompt receiver may have claimed even when others use the whole capacity. */
const MIN_PROMPT_CLAIM = 2;
/** Above this number, queues with nothing to send are dropped. */
const MAX_QUEUES = 10_000;

/** The result of an attempt, as far as it affects health and parallelism. */
export interface AttemptProgress {
  readonly isSuccess: boolean;
  readonly durationMs: number;
  /** When a retry is due. */
  readonly retryAtMs: number | undefined;
}

/**
 * Decides which delivery is attempted next: one queue per webhook, round-robin. Has no clock, store or network:
 * times of the store (`nowMs`) and of the process (`monotonicMs`) are passed in.
 */
export class WebhookQueues {
  readonly #queues = new Map<string, WebhookQueue>();
  readonly #inAll: Counts = { total: 0, unproven: 0, slow: 0 };
  readonly #perTenant = new Map<string, TenantCounts>();
  #claimed = 0;

  /** Deliveries under way. */
  get underWay(): number {
    return this.#inAll.total;
  }

  /** Records that the store may hold deliveries that are due for a webhook. */
  markDue(key: WebhookKey, lastStatus?: ClaimedDelivery['lastStatus']): void {
    const queue = this.#queueOf(key);
    queue.mayHaveMore = true;
    this.#applyLastStatus(queue, lastStatus);
  }

  /** Chooses the webhooks whose deliveries are to be claimed now, and how many of each. */
  chooseCandidates(nowMs: number): Candidate[] {
    const queues = [...this.#queues.values()].filter((queue) => wantsMore(queue, nowMs));
    let budget = LIMITS.claimed - this.#claimed;
    // Queues that hold least come first, so that a scarce budget is shared.
    queues.sort((a, b) => sizeOf(a) - sizeOf(b));
    let budgetNotPrompt = LIMITS.waitingNotPrompt - this.#countWaitingNotPrompt();
    const candidates: Candidate[] = [];
    for (const [index, queue] of queues.entries()) {
      const share = Math.ceil(budget / (queues.length - index));
      const isPrompt = queue.health === 'prompt';
      const most = Math.min(freeCapacityOf(queue), share, isPrompt ? budget : budgetNotPrompt);
      // A prompt queue that holds nothing gets a share even when the budget is used up.
      const limit = isPrompt && sizeOf(queue) === 0 ? Math.max(most, MIN_PROMPT_CLAIM) : most;
      if (limit <= 0) continue;
      budget -= limit;
      if (!isPrompt) budgetNotPrompt -= limit;
      queue.mayHaveMore = false;
      dropUntil(queue.retriesAtMs, nowMs);
      this.#moveToEnd(queue);
      candidates.push({ tenantId: queue.tenantId, webhookId: queue.webhookId, limit });
    }
    return candidates;
  }

  /** Adds the deliveries claimed for the candidates. A queue that got as many as its limit may have more. */
  addClaimed(candidates: readonly Candidate[], deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const queue = this.#queueOf(delivery);
      this.#applyLastStatus(queue, delivery.lastStatus);
      queue.waiting.push(delivery);
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
    if (this.#inAll.total >= LIMITS.inAll.total) return undefined;
    for (const queue of this.#queues.values()) {
      if (queue.waiting.length === 0 || !this.#canBegin(queue)) continue;
      const delivery = queue.waiting.shift();
      if (!delivery) continue;
      queue.underWay.set(delivery, monotonicMs);
      this.#count(queue, 1);
      this.#moveToEnd(queue);
      return delivery;
    }
    return undefined;
  }

  /**
   * Removes a finished delivery from its queue and updates the webhook's health and parallelism. Returns whether to
   * claim more at once: the webhook has more deliveries, and fewer wait here than are under way.
   */
  complete(delivery: ClaimedDelivery, { isSuccess, durationMs, retryAtMs }: AttemptProgress): boolean {
    const queue = this.#queueOf(delivery);
    if (!queue.underWay.delete(delivery)) return false;
    this.#count(queue, -1);
    this.#claimed -= 1;
    const isSlow = durationMs >= SLOW_MS;
    this.#setHealth(queue, isSlow ? 'slow' : 'prompt');
    if (isSuccess) queue.limit = Math.min(LIMITS.perWebhook, queue.limit * 2);
    else queue.limit = isSlow ? 1 : Math.max(1, queue.limit >> 1);
    if (retryAtMs !== undefined) queue.retriesAtMs.push(retryAtMs);
    const isShort = this.#claimed - this.#inAll.total <= this.#inAll.total;
    return isShort && queue.mayHaveMore && isHalfFree(queue);
  }

  /** Marks receivers with a long-pending response as slow, before they respond or time out. */
  markSlow(monotonicMs: number): void {
    for (const queue of this.#queues.values()) {
      const [oldest] = queue.underWay.values();
      if (oldest !== undefined && monotonicMs - oldest >= SLOW_MS) this.#setHealth(queue, 'slow');
    }
  }

  /** Removes waiting deliveries whose lease would end before an attempt could. */
  takeExpiring(leaseNeededUntilMs: number): ClaimedDelivery[] {
    const taken: ClaimedDelivery[] = [];
    for (const queue of this.#queues.values()) {
      // In claim order: the first has the least time left.
      while ((queue.waiting[0]?.leaseEndsAtMs ?? Number.POSITIVE_INFINITY) < leaseNeededUntilMs) {
        const delivery = queue.waiting.shift();
        if (delivery) taken.push(delivery);
        queue.mayHaveMore = true;
      }
    }
    this.#claimed -= taken.length;
    return taken;
  }

  /** When the first retry is due that can be claimed then; infinity if there are none. */
  nextRetryAtMs(): number {
    let first = Number.POSITIVE_INFINITY;
    if (this.#claimed >= LIMITS.claimed) return first;
    for (const queue of this.#queues.values()) {
      // Without free capacity, the retry waits for an attempt to end, not for a time.
      if (!isHalfFree(queue)) continue;
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

  #countWaitingNotPrompt(): number {
    let count = 0;
    for (const queue of this.#queues.values()) if (queue.health !== 'prompt') count += queue.waiting.length;
    return count;
  }

  /** Drops the state of webhooks with nothing to send; some of them no longer exist. */
  #dropIdle(): void {
    for (const [name, queue] of this.#queues) {
      if (!isIdle(queue)) continue;
      if (queue.health === 'slow') this.#ofTenant(queue.tenantId).slowQueues -= 1;
      this.#queues.delete(name);
    }
    for (const [tenantId, { total, slowQueues }] of this.#perTenant) {
      if (total === 0 && slowQueues === 0) this.#perTenant.delete(tenantId);
    }
  }

  #canBegin(queue: WebhookQueue): boolean {
    if (queue.underWay.size >= queue.limit) return false;
    const ofTenant = this.#ofTenant(queue.tenantId);
    if (ofTenant.total >= LIMITS.perTenant.total) return false;
    // If several receivers are slow, the next may be too: such a tenant leaves capacity to the others.
    const isDoubtful = ofTenant.slowQueues >= LIMITS.perTenant.slow;
    if (isDoubtful && ofTenant.total >= LIMITS.perTenant.unproven) return false;
    if (queue.health === 'prompt') return true;
    // One slow receiver may use its whole limit. When receivers of other tenants are slow too, each gets its share.
    const areFewSlow = !isDoubtful && this.#inAll.slow < LIMITS.slowWhileFew;
    const slow = areFewSlow ? LIMITS.slowWhileFew : LIMITS.perTenant.slow;
    return (
      hasCapacity(this.#inAll, LIMITS.inAll, queue.health) &&
      hasCapacity(ofTenant, { ...LIMITS.perTenant, slow }, queue.health)
    );
  }

  /** Adopts what another process, or this one before a restart, has learnt about a receiver. */
  #applyLastStatus(queue: WebhookQueue, lastStatus: ClaimedDelivery['lastStatus'] | undefined): void {
    if (queue.health === 'unproven' && lastStatus === 'delivered') this.#setHealth(queue, 'prompt');
  }

  #setHealth(queue: WebhookQueue, health: ReceiverHealth): void {
    if (queue.health === health) return;
    const { size } = queue.underWay;
    const ofTenant = this.#ofTenant(queue.tenantId);
    if (queue.health === 'slow') ofTenant.slowQueues -= 1;
    if (health === 'slow') ofTenant.slowQueues += 1;
    this.#count(queue, -size);
    queue.health = health;
    this.#count(queue, size);
  }

  #count({ tenantId, health }: WebhookQueue, change: number): void {
    for (const counts of [this.#inAll, this.#ofTenant(tenantId)]) {
      counts.total += change;
      if (health !== 'prompt') counts[health] += change;
    }
  }

  #ofTenant(tenantId: string): TenantCounts {
    const known = this.#perTenant.get(tenantId);
    if (known) return known;
    const counts = { total: 0, unproven: 0, slow: 0, slowQueues: 0 };
    this.#perTenant.set(tenantId, counts);
    return counts;
  }
}
