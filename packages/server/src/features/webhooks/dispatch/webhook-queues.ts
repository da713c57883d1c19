import type { Candidate } from './claim-store.ts';
import { type ClaimedDelivery, type WebhookKey, webhookKeyOf } from './claimed-delivery.ts';
import {
  BOUNDS,
  type Counts,
  dropUntil,
  hasRoom,
  isIdle,
  isRoomy,
  type Lane,
  type Pace,
  roomOf,
  SLOW_MS,
  sizeOf,
  type TenantCounts,
  wantsMore,
} from './webhook-queue.ts';

/** Deliveries that a prompt receiver may have claimed whatever others hold. */
const ALWAYS = 2;
/** Lanes beyond which those with nothing to send are dropped. */
const MAX_LANES = 10_000;

/** How an attempt went, as far as pace and parallelism go. */
export interface Progress {
  readonly isSuccess: boolean;
  readonly durationMs: number;
  /** When a retry is due. */
  readonly retryAtMs: number | undefined;
}

/**
 * Decides which delivery is attempted next: a lane for each webhook, taken in turn. Knows no clock, no store and no
 * network. Times of the store (`nowMs`) and of the process (`monotonicMs`) are given.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #inAll: Counts = { total: 0, unproven: 0, slow: 0 };
  readonly #perTenant = new Map<string, TenantCounts>();
  #claimed = 0;

  /** Deliveries under way. */
  get underWay(): number {
    return this.#inAll.total;
  }

  /** Notes that the store may hold something to send to a webhook. */
  note(key: WebhookKey, lastStatus?: ClaimedDelivery['lastStatus']): void {
    const lane = this.#lane(key);
    lane.mayHaveMore = true;
    this.#learn(lane, lastStatus);
  }

  /** Chooses the webhooks whose deliveries are to be claimed now, and how many of each. */
  chooseCandidates(nowMs: number): Candidate[] {
    const lanes = [...this.#lanes.values()].filter((lane) => wantsMore(lane, nowMs));
    let budget = BOUNDS.claimed - this.#claimed;
    // Those that hold least come first, so that a full house is shared.
    lanes.sort((a, b) => sizeOf(a) - sizeOf(b));
    let budgetNotPrompt = BOUNDS.waitingNotPrompt - this.#countWaitingNotPrompt();
    const candidates: Candidate[] = [];
    for (const [index, lane] of lanes.entries()) {
      const share = Math.ceil(budget / (lanes.length - index));
      const isPrompt = lane.pace === 'prompt';
      const most = Math.min(roomOf(lane), share, isPrompt ? budget : budgetNotPrompt);
      // One that is prompt and holds nothing gets something also of a full house.
      const room = isPrompt && sizeOf(lane) === 0 ? Math.max(most, ALWAYS) : most;
      if (room <= 0) continue;
      budget -= room;
      if (!isPrompt) budgetNotPrompt -= room;
      lane.mayHaveMore = false;
      dropUntil(lane.retriesAtMs, nowMs);
      this.#toEndOfLine(lane);
      candidates.push({ tenantId: lane.tenantId, webhookId: lane.webhookId, room });
    }
    return candidates;
  }

  /** Takes in what was claimed of the candidates. One that got all it had room for may have more. */
  add(candidates: readonly Candidate[], deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.#lane(delivery);
      this.#learn(lane, delivery.lastStatus);
      lane.waiting.push(delivery);
    }
    this.#claimed += deliveries.length;
    const rooms = new Map(candidates.map((candidate) => [webhookKeyOf(candidate), candidate.room]));
    for (const delivery of deliveries) {
      const key = webhookKeyOf(delivery);
      const left = (rooms.get(key) ?? 0) - 1;
      rooms.set(key, left);
      if (left === 0) this.#lane(delivery).mayHaveMore = true;
    }
  }

  /** Gives the delivery to begin now, counted as under way; undefined when there is none or no room. */
  next(monotonicMs: number): ClaimedDelivery | undefined {
    if (this.#inAll.total >= BOUNDS.inAll.total) return undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length === 0 || !this.#hasRoom(lane)) continue;
      const delivery = lane.waiting.shift();
      if (!delivery) continue;
      lane.underWay.set(delivery, monotonicMs);
      this.#count(lane, 1);
      this.#toEndOfLine(lane);
      return delivery;
    }
    return undefined;
  }

  /**
   * Takes a delivery that is over off its lane, and learns from how it went. Gives whether claiming more cannot wait: there
   * is more for its webhook, and less waits here than is under way.
   */
  end(delivery: ClaimedDelivery, { isSuccess, durationMs, retryAtMs }: Progress): boolean {
    const lane = this.#lane(delivery);
    if (!lane.underWay.delete(delivery)) return false;
    this.#count(lane, -1);
    this.#claimed -= 1;
    const isSlow = durationMs >= SLOW_MS;
    this.#setPace(lane, isSlow ? 'slow' : 'prompt');
    if (isSuccess) lane.limit = Math.min(BOUNDS.perWebhook, lane.limit * 2);
    else lane.limit = isSlow ? 1 : Math.max(1, lane.limit >> 1);
    if (retryAtMs !== undefined) lane.retriesAtMs.push(retryAtMs);
    const isShort = this.#claimed - this.#inAll.total <= this.#inAll.total;
    return isShort && lane.mayHaveMore && isRoomy(lane);
  }

  /** Counts receivers that have been awaited for long as slow, before they answer or time out. */
  noteSlow(monotonicMs: number): void {
    for (const lane of this.#lanes.values()) {
      const [oldest] = lane.underWay.values();
      if (oldest !== undefined && monotonicMs - oldest >= SLOW_MS) this.#setPace(lane, 'slow');
    }
  }

  /** Takes out what waits and whose lease would end before an attempt could. */
  takeExpiring(leaseNeededUntilMs: number): ClaimedDelivery[] {
    const taken: ClaimedDelivery[] = [];
    for (const lane of this.#lanes.values()) {
      // In the order in which they were claimed: the first has the least time left.
      while ((lane.waiting[0]?.leaseEndsAtMs ?? Number.POSITIVE_INFINITY) < leaseNeededUntilMs) {
        const delivery = lane.waiting.shift();
        if (delivery) taken.push(delivery);
        lane.mayHaveMore = true;
      }
    }
    this.#claimed -= taken.length;
    return taken;
  }

  /** When the first retry falls due for which there is room; infinity without any. */
  nextRetryAtMs(): number {
    let first = Number.POSITIVE_INFINITY;
    if (this.#claimed >= BOUNDS.claimed) return first;
    for (const lane of this.#lanes.values()) {
      // Without room it waits for an attempt to end, and not for a time.
      if (!isRoomy(lane)) continue;
      for (const atMs of lane.retriesAtMs) first = Math.min(first, atMs);
    }
    return first;
  }

  #lane(key: WebhookKey): Lane {
    const name = webhookKeyOf(key);
    const known = this.#lanes.get(name);
    if (known) return known;
    if (this.#lanes.size >= MAX_LANES) this.#dropIdle();
    const lane: Lane = {
      tenantId: key.tenantId,
      webhookId: key.webhookId,
      waiting: [],
      underWay: new Map(),
      limit: 1,
      pace: 'unproven',
      mayHaveMore: false,
      retriesAtMs: [],
    };
    this.#lanes.set(name, lane);
    return lane;
  }

  /** The others have their turn first. */
  #toEndOfLine(lane: Lane): void {
    const name = webhookKeyOf(lane);
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }

  #countWaitingNotPrompt(): number {
    let count = 0;
    for (const lane of this.#lanes.values()) if (lane.pace !== 'prompt') count += lane.waiting.length;
    return count;
  }

  /** Forgets what was learnt of webhooks with nothing to send, some of which are no more. */
  #dropIdle(): void {
    for (const [name, lane] of this.#lanes) {
      if (!isIdle(lane)) continue;
      if (lane.pace === 'slow') this.#ofTenant(lane.tenantId).slowLanes -= 1;
      this.#lanes.delete(name);
    }
    for (const [tenantId, { total, slowLanes }] of this.#perTenant) {
      if (total === 0 && slowLanes === 0) this.#perTenant.delete(tenantId);
    }
  }

  #hasRoom(lane: Lane): boolean {
    if (lane.underWay.size >= lane.limit) return false;
    const ofTenant = this.#ofTenant(lane.tenantId);
    if (ofTenant.total >= BOUNDS.perTenant.total) return false;
    // Where several are slow, the next one may be: a tenant of which that is known leaves room for the others.
    const isDoubtful = ofTenant.slowLanes >= BOUNDS.perTenant.slow;
    if (isDoubtful && ofTenant.total >= BOUNDS.perTenant.unproven) return false;
    if (lane.pace === 'prompt') return true;
    return hasRoom(this.#inAll, BOUNDS.inAll, lane.pace) && hasRoom(ofTenant, BOUNDS.perTenant, lane.pace);
  }

  /** Takes over what another process, or this one before it was started anew, has found out about a receiver. */
  #learn(lane: Lane, lastStatus: ClaimedDelivery['lastStatus'] | undefined): void {
    if (lane.pace === 'unproven' && lastStatus === 'delivered') this.#setPace(lane, 'prompt');
  }

  #setPace(lane: Lane, pace: Pace): void {
    if (lane.pace === pace) return;
    const { size } = lane.underWay;
    const ofTenant = this.#ofTenant(lane.tenantId);
    if (lane.pace === 'slow') ofTenant.slowLanes -= 1;
    if (pace === 'slow') ofTenant.slowLanes += 1;
    this.#count(lane, -size);
    lane.pace = pace;
    this.#count(lane, size);
  }

  #count({ tenantId, pace }: Lane, change: number): void {
    for (const counts of [this.#inAll, this.#ofTenant(tenantId)]) {
      counts.total += change;
      if (pace !== 'prompt') counts[pace] += change;
    }
  }

  #ofTenant(tenantId: string): TenantCounts {
    const known = this.#perTenant.get(tenantId);
    if (known) return known;
    const counts = { total: 0, unproven: 0, slow: 0, slowLanes: 0 };
    this.#perTenant.set(tenantId, counts);
    return counts;
  }
}
