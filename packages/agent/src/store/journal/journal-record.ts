import type { Severity } from '@tps/contract';
import type { Range } from './number-ranges.ts';

export type CountBySeverity = Readonly<Partial<Record<Severity, number>>>;

/** The newest record of the local chain. */
export interface LocalHead {
  readonly number: number;
  readonly hash: string | undefined;
}

/** The end of the chain of sent events, and how many drops before it the service can see as a gap. */
export interface SentEnd {
  readonly sequence: number;
  readonly hash?: string | undefined;
  readonly droppedCovered: number;
}

export interface RefusedEvent {
  readonly number: number;
  readonly refusedAt: string;
  readonly status: number;
  readonly code: string;
}

/** The service's results for some events of an outbox. */
export interface SettlementRecord {
  readonly kind: 'settled';
  readonly archived: readonly Range[];
  readonly deliveredAt: string;
  readonly archivedAt: string;
  readonly refused: readonly RefusedEvent[];
  /** With the last result of an outbox: its number, and the new end of the chain of sent events. */
  readonly finished?: { readonly outbox: number; readonly end: SentEnd };
}

/** Consecutive archived events, and when they were archived, in Unix milliseconds. */
export type ArchivedRun = readonly [first: number, last: number, deliveredAtMs: number, archivedAtMs: number];

export type DeletionReason = 'retention' | 'no_room' | 'nothing_readable';

/** The deletion of a segment and its key. Written before either is deleted. */
export interface DeletionRecord {
  readonly kind: 'deleted';
  readonly segment: string;
  readonly numbers: readonly Range[];
  readonly at: string;
  readonly reason: DeletionReason;
  /** Deleted events that were still waiting. */
  readonly dropped: CountBySeverity;
  readonly head: LocalHead;
}

/** Records that were stored and were not found when the store was opened. */
export interface MissingCount {
  readonly records: number;
  /** Those among them that the service never got. */
  readonly undelivered: number;
}

/** The totals before this journal segment. */
interface BaseRecord {
  readonly kind: 'base';
  readonly dropped: CountBySeverity;
  readonly declared: number;
  readonly end: SentEnd;
  readonly finishedOutbox: number;
  readonly head: LocalHead;
  /** The number of the oldest record still stored. Older versions did not write it. */
  readonly oldest?: number | undefined;
  /** Older versions did not write it. */
  readonly missing?: MissingCount;
}

export type JournalRecord =
  | SettlementRecord
  | DeletionRecord
  | BaseRecord
  /** Restates `settled` records in a quarter of their space: most devices deliver one event at a time. */
  | { readonly kind: 'archived'; readonly runs: readonly ArchivedRun[] }
  /** Numbers of deleted records that lie between stored ones. */
  | { readonly kind: 'gone'; readonly numbers: readonly Range[] }
  /** The newest record, noted after each append: a log that ends before it was cut off. */
  | { readonly kind: 'head'; readonly head: LocalHead }
  /** Records found missing. */
  | { readonly kind: 'missing'; readonly numbers: readonly Range[]; readonly count: MissingCount }
  /** Events dropped from memory in safe mode. They never had a number. */
  | { readonly kind: 'dropped'; readonly dropped: CountBySeverity }
  | { readonly kind: 'declared'; readonly count: number }
  /** The records before this one restate all earlier journal segments, which may be removed. */
  | { readonly kind: 'complete' };
