import { SEVERITIES } from '@tps/contract/vocabulary';
import { type Entry, isWaiting, type Segment, type StoredEntry } from './segment.ts';
import { parseCounter } from './segment-name.ts';

/** All stored segments of events, oldest first. */
export class Catalog {
  #segments: Segment[] = [];

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get bytesOnDisk(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytesOnDisk, 0);
  }

  get oldestNumber(): number {
    const first = this.#segments.map(({ entries }) => entries[0]?.number ?? Number.POSITIVE_INFINITY);
    return Math.min(Number.POSITIVE_INFINITY, ...first);
  }

  get counts() {
    const counts = { waiting: 0, archived: 0, refused: 0 };
    for (const segment of this.#segments) {
      counts.waiting += segment.waiting.reduce((sum, count) => sum + count, 0);
      counts.archived += segment.archived;
      counts.refused += segment.refused;
    }
    return counts;
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#segments.sort((one, other) => parseCounter(one.name) - parseCounter(other.name));
  }

  remove(segment: Segment): void {
    this.#segments = this.#segments.filter((kept) => kept !== segment);
    for (const entry of segment.entries) {
      entry.gone = true;
    }
    segment.opener?.key.destroy();
  }

  /** Returns the stored events whose id has this hash, newest first. Other ids with the same hash are rare. */
  candidates(idHash: number): StoredEntry[] {
    const found: StoredEntry[] = [];
    for (const segment of this.#segments) {
      for (const entry of segment.entries) {
        if (entry.idHash === idHash) {
          found.push({ segment, entry });
        }
      }
    }
    return found.reverse();
  }

  /**
   * Iterates over the waiting events in the order of sending: highest severity first, and of these the oldest. A correction
   * never comes before the event that it corrects: it takes the lower rank of the two, after the other events of that rank.
   */
  *inSendingOrder(): Generator<StoredEntry> {
    const demoted: StoredEntry[] = [];
    for (let rank = SEVERITIES.length - 1; rank >= 0; rank -= 1) {
      for (const segment of this.#segments.filter(({ waiting }) => (waiting[rank] ?? 0) > 0)) {
        for (const entry of segment.entries) {
          if (entry.rank !== rank || !isWaiting(entry)) {
            continue;
          }
          if (sendingRank(entry) < rank) {
            demoted.push({ segment, entry });
          } else {
            yield { segment, entry };
          }
        }
      }
      yield* demoted.filter(({ entry }) => sendingRank(entry) === rank);
    }
  }
}

function sendingRank({ rank, root }: Entry): number {
  return root !== undefined && isWaiting(root) ? Math.min(rank, root.rank) : rank;
}
