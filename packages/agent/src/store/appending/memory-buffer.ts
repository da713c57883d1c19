import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { NewRecord } from '../event-store.ts';
import type { CountBySeverity } from '../journal/journal-record.ts';
import { rankOf } from '../segments/record.ts';

/** An event on its way to the disk. */
export interface Arrival {
  readonly record: NewRecord;
  /** Roughly what it takes, in memory as on disk. */
  readonly bytes: number;
}

/** Keeps events in memory while they cannot be stored, up to a budget. When it is full the mildest, oldest leave. */
export class MemoryHold {
  readonly #budgetBytes: number;
  #held: Arrival[] = [];
  #bytes = 0;
  /** Of those that left, what no journal has counted yet. */
  #dropped: Partial<Record<Severity, number>> = {};

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get size(): number {
    return this.#held.length;
  }

  get arrivals(): readonly Arrival[] {
    return this.#held;
  }

  get dropped(): CountBySeverity {
    return this.#dropped;
  }

  /** Adds events behind the others, and gives how many had to leave for them. */
  add(arrivals: readonly Arrival[]): number {
    let left = 0;
    for (const arrival of arrivals) {
      this.#held.push(arrival);
      this.#bytes += arrival.bytes;
      while (this.#bytes > this.#budgetBytes) {
        this.#removeMildest();
        left += 1;
      }
    }
    return left;
  }

  /** Forgets the first events, which are stored now. */
  release(count: number): void {
    for (const { bytes } of this.#held.splice(0, count)) {
      this.#bytes -= bytes;
    }
  }

  /** Forgets the count of dropped events, which a journal has now. */
  releaseDropped(): void {
    this.#dropped = {};
  }

  #removeMildest(): void {
    const mildest = Math.min(...new Set(this.#held.map(({ record }) => rankOf(record.event))));
    const index = this.#held.findIndex(({ record }) => rankOf(record.event) === mildest);
    const [left] = this.#held.splice(index, 1);
    this.#bytes -= left?.bytes ?? 0;
    const severity = SEVERITIES[mildest] ?? 'low';
    this.#dropped[severity] = (this.#dropped[severity] ?? 0) + 1;
  }
}
