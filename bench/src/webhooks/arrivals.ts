import { monotonicMs } from '../monotonic-clock.ts';

/** The arrivals of a period. */
export interface ArrivalSummary {
  readonly perSecond: number;
  readonly longestPauseMs: number;
  readonly repeats: number;
}

/** Keeps the times at which deliveries arrived. */
export class Arrivals {
  /** First arrivals in their order. Repeats are counted separately. */
  readonly #atMs: number[] = [];
  readonly #firstAtMs: Map<string, number>[];
  readonly #waiting = new Set<{ count: number; resolve: () => void }>();
  #repeats = 0;

  constructor(receivers: number) {
    this.#firstAtMs = Array.from({ length: receivers }, () => new Map());
  }

  get count(): number {
    return this.#atMs.length;
  }

  note(receiver: number, eventId: string): void {
    const known = this.#firstAtMs[receiver];
    if (!known || known.has(eventId)) {
      this.#repeats += 1;
      return;
    }
    const nowMs = monotonicMs();
    known.set(eventId, nowMs);
    this.#atMs.push(nowMs);
    for (const waiter of this.#waiting) if (this.count >= waiter.count) waiter.resolve();
  }

  /** Waits for this many arrivals, or until the time is over. Returns the number of arrivals. */
  async waitFor({ count, withinMs }: { count: number; withinMs: number }): Promise<number> {
    if (this.count < count) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => waiter.resolve(), withinMs);
        const waiter = {
          count,
          resolve: () => {
            clearTimeout(timer);
            this.#waiting.delete(waiter);
            resolve();
          },
        };
        this.#waiting.add(waiter);
      });
    }
    return this.count;
  }

  /**
   * Summarizes from the arrival with this number (0 is the first) to the last. When some are missing, the period ends
   * now: waiting for them is a pause too.
   */
  summary({ from, expected }: { from: number; expected: number }): ArrivalSummary {
    const arrivedAtMs = this.#atMs.slice(from);
    const endsAtMs = this.count < expected ? monotonicMs() : (arrivedAtMs.at(-1) ?? Number.NaN);
    const marks = [...arrivedAtMs, endsAtMs];
    const [first = Number.NaN] = marks;
    return {
      perSecond: ((arrivedAtMs.length - 1) * 1000) / (endsAtMs - first),
      longestPauseMs: marks.reduce(
        (longest, atMs, index) => Math.max(longest, atMs - (marks[index - 1] ?? atMs)),
        0,
      ),
      repeats: this.#repeats,
    };
  }

  /** Returns when each event arrived at a receiver. */
  timesAt(receiver: number): [eventId: string, atMs: number][] {
    return [...(this.#firstAtMs[receiver] ?? [])];
  }
}
