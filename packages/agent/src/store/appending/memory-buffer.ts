import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { NewRecord } from '../event-store.ts';
import type { CountBySeverity } from '../journal/journal-record.ts';
import { toRank } from '../segments/record.ts';

/** A record that is not yet on disk. */
export interface PendingRecord {
  readonly record: NewRecord;
  /** Its approximate size, in memory and on disk. */
  readonly bytes: number;
}

/** Holds events in memory while they cannot be stored. Over budget, it drops the oldest of the lowest severity first. */
export class MemoryBuffer {
  readonly #budgetBytes: number;
  #records: PendingRecord[] = [];
  #bytes = 0;
  /** Dropped events that the journal has not counted yet. */
  #dropped: Partial<Record<Severity, number>> = {};

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get size(): number {
    return this.#records.length;
  }

  get records(): readonly PendingRecord[] {
    return this.#records;
  }

  get dropped(): CountBySeverity {
    return this.#dropped;
  }

  /** Adds records at the end. Returns how many events it dropped to stay within the budget. */
  add(records: readonly PendingRecord[]): number {
    let dropped = 0;
    for (const record of records) {
      this.#records.push(record);
      this.#bytes += record.bytes;
      while (this.#bytes > this.#budgetBytes) {
        this.#dropLowest();
        dropped += 1;
      }
    }
    return dropped;
  }

  /** Removes the first records, which are on disk now. */
  release(count: number): void {
    for (const { bytes } of this.#records.splice(0, count)) {
      this.#bytes -= bytes;
    }
  }

  /** Resets the count of dropped events, which the journal has now. */
  releaseDropped(): void {
    this.#dropped = {};
  }

  #dropLowest(): void {
    const lowest = Math.min(...new Set(this.#records.map(({ record }) => toRank(record.event))));
    const index = this.#records.findIndex(({ record }) => toRank(record.event) === lowest);
    const [dropped] = this.#records.splice(index, 1);
    this.#bytes -= dropped?.bytes ?? 0;
    const severity = SEVERITIES[lowest] ?? 'low';
    this.#dropped[severity] = (this.#dropped[severity] ?? 0) + 1;
  }
}
