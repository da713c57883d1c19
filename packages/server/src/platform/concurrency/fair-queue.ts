export interface Waiter {
  /** The line of the work: a tenant, or all unknown browsers. Lines take turns. */
  readonly line: string;
  readonly bytes: number;
}

/** Limits on the waiting work. */
export interface QueueLimits {
  readonly waiters: number;
  readonly bytes: number;
}

/**
 * Work that waits for its turn, limited in number and bytes. Lines take turns. When the queue is full, the line with
 * the most waiting work loses its newest item, so that no line can shut out the others.
 */
export class FairQueue<W extends Waiter> {
  readonly #limits: QueueLimits;
  /** In order of their turns. No list is empty. */
  readonly #byLine = new Map<string, W[]>();
  #waiters = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** How much work waits. */
  get size(): number {
    return this.#waiters;
  }

  /** Adds work. Returns the work that is dropped for it: the added work itself if its line has the most waiting. */
  add(waiter: W): W[] {
    const own = this.#byLine.get(waiter.line);
    if (own) own.push(waiter);
    else this.#byLine.set(waiter.line, [waiter]);
    this.#count(waiter, 1);
    const dropped: W[] = [];
    while (this.#isTooFull()) dropped.push(this.#dropOne());
    return dropped;
  }

  /**
   * Removes and returns the next work: the oldest of the line whose turn it is. Lines for whose oldest work `mayRun` is
   * false keep their places.
   */
  next(mayRun: (line: string, waiter: W) => boolean = () => true): W | undefined {
    for (const [line, waiters] of this.#byLine) {
      const waiter = waiters[0] as W;
      if (!mayRun(line, waiter)) continue;
      waiters.shift();
      this.#byLine.delete(line);
      if (waiters.length > 0) this.#byLine.set(line, waiters);
      this.#count(waiter, -1);
      return waiter;
    }
    return undefined;
  }

  /** Removes work. Does nothing if it is not in the queue. */
  remove(waiter: W): void {
    const waiters = this.#byLine.get(waiter.line);
    const at = waiters?.indexOf(waiter) ?? -1;
    if (!waiters || at === -1) return;
    waiters.splice(at, 1);
    if (waiters.length === 0) this.#byLine.delete(waiter.line);
    this.#count(waiter, -1);
  }

  #isTooFull(): boolean {
    // A single item always fits: its size is limited by the body limit.
    return this.#waiters > this.#limits.waiters || (this.#bytes > this.#limits.bytes && this.#waiters > 1);
  }

  /** Drops the newest work of the line with the most, which has waited least. */
  #dropOne(): W {
    const [first, ...others] = this.#byLine.values();
    const longest = others.reduce((one, other) => (loadOf(other) > loadOf(one) ? other : one), first as W[]);
    const waiter = longest.at(-1) as W;
    this.remove(waiter);
    return waiter;
  }

  #count({ bytes }: W, by: 1 | -1): void {
    this.#waiters += by;
    this.#bytes += by * bytes;
  }
}

/** Bytes count most; each item counts as 64 KiB more, because a thousand small ones also keep others waiting. */
function loadOf(waiters: readonly Waiter[]): number {
  return waiters.reduce((sum, { bytes }) => sum + bytes + 65_536, 0);
}
