import { SEVERITIES } from '@tps/contract/vocabulary';
import type { Refusal } from '../event-store.ts';
import type { Lane } from './segment-name.ts';
import type { Place, SegmentKey } from './segment-reader.ts';

/** What the service said of an event, and when. One object is shared by all events that were settled together. */
export type Outcome =
  | { readonly kind: 'archived'; readonly deliveredAt: string; readonly archivedAt: string }
  | { readonly kind: 'refused'; readonly refusedAt: string; readonly refusal: Refusal };

/** What is kept in memory of a stored event: some hundred bytes, whatever its content. */
export interface Entry extends Place {
  readonly number: number;
  readonly rank: number;
  readonly idHash: number;
  /** The event that this one corrects, where it is stored too. */
  root: Entry | undefined;
  outcome: Outcome | undefined;
  /** Its segment has left the store. */
  gone: boolean;
}

/** Makes an entry. Written out member by member: made by spreading it takes four times the memory. */
export function entryOf(
  { index, offset, sealedBytes }: Place,
  { number, rank, idHash, root, outcome }: Pick<Entry, 'number' | 'rank' | 'idHash' | 'root' | 'outcome'>,
): Entry {
  return { index, offset, sealedBytes, number, rank, idHash, root, outcome, gone: false };
}

export function isWaiting(entry: Entry): boolean {
  return entry.outcome === undefined && !entry.gone;
}

export interface StoredEntry {
  readonly segment: Segment;
  readonly entry: Entry;
}

/** One segment of events on disk. Without an opener it cannot be read, and only takes room. */
export class Segment {
  readonly name: string;
  readonly lane: Lane;
  readonly opener: SegmentKey | undefined;
  readonly entries: Entry[] = [];
  /** Waiting events by rank. */
  readonly waiting: number[] = SEVERITIES.map(() => 0);
  readonly keyFileBytes: number;
  sizeBytes: number;
  archived = 0;
  refused = 0;

  constructor(about: Pick<Segment, 'name' | 'lane' | 'opener' | 'sizeBytes' | 'keyFileBytes'>) {
    this.name = about.name;
    this.lane = about.lane;
    this.opener = about.opener;
    this.sizeBytes = about.sizeBytes;
    this.keyFileBytes = about.keyFileBytes;
  }

  get bytesOnDisk(): number {
    return this.sizeBytes + this.keyFileBytes;
  }

  get isSettled(): boolean {
    return this.waiting.every((count) => count === 0);
  }

  add(entry: Entry): void {
    this.entries.push(entry);
    if (entry.outcome === undefined) {
      this.#countWaiting(entry, 1);
    } else {
      this.#countOutcome(entry.outcome);
    }
  }

  settle(entry: Entry, outcome: Outcome): void {
    if (isWaiting(entry)) {
      this.#countWaiting(entry, -1);
      this.#countOutcome(outcome);
    }
    entry.outcome = outcome;
  }

  /** Gives up an event whose bytes were damaged. */
  lose(entry: Entry): void {
    if (isWaiting(entry)) {
      this.#countWaiting(entry, -1);
    }
    entry.gone = true;
  }

  #countWaiting({ rank }: Entry, change: number): void {
    this.waiting[rank] = (this.waiting[rank] ?? 0) + change;
  }

  #countOutcome({ kind }: Outcome): void {
    this[kind] += 1;
  }
}
