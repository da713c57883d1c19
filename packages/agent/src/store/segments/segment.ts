import { SEVERITIES } from '@tps/contract/vocabulary';
import type { Refusal } from '../event-store.ts';
import type { Lane } from './segment-name.ts';
import type { FramePosition, SegmentKey } from './segment-reader.ts';

/** The service's result for an event, and when. All events settled together share one object. */
export type Settlement =
  | { readonly kind: 'archived'; readonly deliveredAt: string; readonly archivedAt: string }
  | { readonly kind: 'refused'; readonly refusedAt: string; readonly refusal: Refusal };

/** What is held in memory of a stored event: about a hundred bytes, independent of its content. */
export interface Entry extends FramePosition {
  readonly number: number;
  readonly rank: number;
  readonly idHash: number;
  /** The event that this one corrects, if it is stored too. */
  root: Entry | undefined;
  settlement: Settlement | undefined;
  /** Whether its segment was deleted, or its bytes are damaged. */
  gone: boolean;
}

/** Creates an entry. Written out member by member, because an object made by spreading takes four times the memory. */
export function toEntry(
  { index, offset, sealedBytes }: FramePosition,
  {
    number,
    rank,
    idHash,
    root,
    settlement,
  }: Pick<Entry, 'number' | 'rank' | 'idHash' | 'root' | 'settlement'>,
): Entry {
  return { index, offset, sealedBytes, number, rank, idHash, root, settlement, gone: false };
}

export function isWaiting(entry: Entry): boolean {
  return entry.settlement === undefined && !entry.gone;
}

export interface StoredEntry {
  readonly segment: Segment;
  readonly entry: Entry;
}

/** One segment of events on disk. Without an opener it cannot be read and only takes space. */
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
    if (entry.settlement === undefined) {
      this.#countWaiting(entry, 1);
    } else {
      this.#countSettlement(entry.settlement);
    }
  }

  settle(entry: Entry, settlement: Settlement): void {
    if (isWaiting(entry)) {
      this.#countWaiting(entry, -1);
      this.#countSettlement(settlement);
    }
    entry.settlement = settlement;
  }

  /** Marks an event as lost because its bytes are damaged. */
  lose(entry: Entry): void {
    if (isWaiting(entry)) {
      this.#countWaiting(entry, -1);
    }
    entry.gone = true;
  }

  #countWaiting({ rank }: Entry, change: number): void {
    this.waiting[rank] = (this.waiting[rank] ?? 0) + change;
  }

  #countSettlement({ kind }: Settlement): void {
    this[kind] += 1;
  }
}
