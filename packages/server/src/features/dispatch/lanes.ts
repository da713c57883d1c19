import type { Candidate } from './claim-store.ts';
import { type ClaimedDelivery, type WebhookKey, webhookKeyOf } from './claimed-delivery.ts';

/**
 * How a receiver answers: `unproven` until it has answered once, `slow` when its last answer took long, or one that is
 * awaited does. Nothing else is known of a receiver before it is called, and one that hangs does so for ten seconds.
 */
type Pace = 'unproven' | 'prompt' | 'slow';

/** Deliveries under way at once. What is not prompt may never take all of it, so that what is prompt always finds room. */
export const BOUNDS = {
  inAll: { total: 64, unproven: 48, slow: 16 },
  perTenant: { total: 16, unproven: 12, slow: 4 },
  perWebhook: 8,
  /** Claimed by this process: under way or waiting for their turn. */
  claimed: 1024,
} as const;

/** An answer that takes longer than this makes a receiver slow. */
const SLOW_MS = 1_000;

/** Lanes beyond which those with nothing to send are dropped. */
const MAX_LANES = 10_000;

interface Counts {
  total: number;
  unproven: number;
  slow: number;
}

interface Lane extends WebhookKey {
  /** Claimed and not yet begun. */
  readonly waiting: ClaimedDelivery[];
  /** Begun, with the time, the oldest first. */
  readonly underWay: Map<ClaimedDelivery, number>;
  /** Deliveries at once: doubles with each success up to the bound, and shrinks with each failure. */
  limit: number;
  pace: Pace;
  /** Whether the store may hold deliveries of it that are due. */
  mayHaveMore: boolean;
  /** When retries of it fall due. */
  readonly retriesAtMs: number[];
}

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
  readonly #perTenant = new Map<string, Counts>();
  #claimed = 0;

  /** Deliveries under way. */
  get underWay(): number {
    return this.#inAll.total;
  }

  /** Notes that the store may hold something to send to a webhook. */
  note(key: WebhookKey): void {
    this.#lane(key).mayHaveMore = true;
  }

  /** Chooses the webhooks whose deliveries are to be claimed now, and how many of each. */
  chooseCandidates(nowMs: number): Candidate[] {
    const lanes = [...this.#lanes.values()].filter((lane) => wantsMore(lane, nowMs));
    let budget = BOUNDS.claimed - this.#claimed;
    // Those that hold least come first, so that a full house is shared.
    lanes.sort((a, b) => sizeOf(a) - sizeOf(b));
    const candidates: Candidate[] = [];
    for (const [index, lane] of lanes.entries()) {
      const share = Math.ceil(budget / (lanes.length - index));
      const room = Math.min(roomOf(lane), share);
      if (room <= 0) break;
      budget -= room;
      lane.mayHaveMore = false;
      dropUntil(lane.retriesAtMs, nowMs);
      candidates.push({ tenantId: lane.tenantId, webhookId: lane.webhookId, room });
    }
    return candidates;
  }

  /** Takes in what was claimed of the candidates. One that got all it had room for may have more. */
  add(candidates: readonly Candidate[], deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.#lane(delivery);
      // What another process, or this one before it was started anew, has found out about the receiver.
      if (lane.pace === 'unproven' && delivery.lastStatus === 'delivered') this.#setPace(lane, 'prompt');
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
    for (const [key, lane] of this.#lanes) {
      if (lane.waiting.length === 0 || !this.#hasRoom(lane)) continue;
      const delivery = lane.waiting.shift();
      if (!delivery) continue;
      lane.underWay.set(delivery, monotonicMs);
      this.#count(lane, 1);
      // To the end of the line: the others have their turn first.
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
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

  /** Forgets what was learnt of webhooks with nothing to send, some of which are no more. */
  #dropIdle(): void {
    for (const [name, lane] of this.#lanes) if (isIdle(lane)) this.#lanes.delete(name);
    for (const [tenantId, { total }] of this.#perTenant) if (total === 0) this.#perTenant.delete(tenantId);
  }

  #hasRoom(lane: Lane): boolean {
    if (lane.underWay.size >= lane.limit) return false;
    const ofTenant = this.#ofTenant(lane.tenantId);
    if (ofTenant.total >= BOUNDS.perTenant.total) return false;
    if (lane.pace === 'prompt') return true;
    return hasRoom(this.#inAll, BOUNDS.inAll, lane.pace) && hasRoom(ofTenant, BOUNDS.perTenant, lane.pace);
  }

  #setPace(lane: Lane, pace: Pace): void {
    if (lane.pace === pace) return;
    const { size } = lane.underWay;
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

  #ofTenant(tenantId: string): Counts {
    const known = this.#perTenant.get(tenantId);
    if (known) return known;
    const counts = { total: 0, unproven: 0, slow: 0 };
    this.#perTenant.set(tenantId, counts);
    return counts;
  }
}

/**
 * Whether one more may begin that is not prompt. An unproven receiver that is awaited for long becomes a slow one: it
 * goes on counting among the unproven, or the next ones would come into its place until those that hang have all.
 */
function hasRoom(counts: Counts, bounds: Counts, pace: 'unproven' | 'slow'): boolean {
  if (pace === 'slow' && counts.slow >= bounds.slow) return false;
  return counts.unproven + counts.slow < bounds.unproven;
}

/**
 * How many may be claimed: while some are under way, the next wait here, so that few transactions fetch many. All of them
 * can be attempted before their lease ends: up to sixteen rounds of less than a second, or two of thirteen.
 */
function capacityOf({ limit, pace }: Lane): number {
  return limit * (pace === 'prompt' ? 16 : 2);
}

function roomOf(lane: Lane): number {
  return capacityOf(lane) - sizeOf(lane);
}

function sizeOf(lane: Lane): number {
  return lane.waiting.length + lane.underWay.size;
}

/** Half of the room must be free, so that a claim is worth its transaction. */
function isRoomy(lane: Lane): boolean {
  return roomOf(lane) * 2 >= capacityOf(lane);
}

function wantsMore(lane: Lane, nowMs: number): boolean {
  return isRoomy(lane) && (lane.mayHaveMore || lane.retriesAtMs.some((atMs) => atMs <= nowMs));
}

function isIdle(lane: Lane): boolean {
  return sizeOf(lane) === 0 && lane.retriesAtMs.length === 0 && !lane.mayHaveMore;
}

function dropUntil(timesMs: number[], nowMs: number): void {
  const later = timesMs.filter((atMs) => atMs > nowMs);
  timesMs.splice(0, timesMs.length, ...later);
}
