import type { Severity } from '@tps/contract';
import type { Range } from './number-ranges.ts';

export type CountBySeverity = Readonly<Partial<Record<Severity, number>>>;

/** The newest record of the local chain. */
export interface LocalHead {
  readonly number: number;
  readonly hash: string | undefined;
}

/** Where the chain of sent events ends, and how many of the drops before it the service can see as a gap. */
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

/** What the service said of some events of an outbox. */
export interface SettlementRecord {
  readonly kind: 'settled';
  readonly archived: readonly Range[];
  readonly deliveredAt: string;
  readonly archivedAt: string;
  readonly refused: readonly RefusedEvent[];
  /** With the last verdict of an outbox: its number, and where the chain of sent events ends now. */
  readonly finished?: { readonly outbox: number; readonly end: SentEnd };
}

/** Archived events that follow each other, and when they were, in Unix milliseconds. */
export type ArchivedRun = readonly [first: number, last: number, deliveredAtMs: number, archivedAtMs: number];

export type DeletionReason = 'retention' | 'no_room' | 'nothing_readable';

/** A segment goes, and its key: the end of its events' life. Written before either is touched. */
export interface DeletionRecord {
  readonly kind: 'deleted';
  readonly segment: string;
  readonly numbers: readonly Range[];
  readonly at: string;
  readonly reason: DeletionReason;
  /** Events that were still waiting. */
  readonly dropped: CountBySeverity;
  readonly head: LocalHead;
}

/** Everything that was counted before this journal segment. */
interface Base {
  readonly kind: 'base';
  readonly dropped: CountBySeverity;
  readonly declared: number;
  readonly end: SentEnd;
  readonly finishedOutbox: number;
  readonly head: LocalHead;
}

export type JournalRecord =
  | SettlementRecord
  | DeletionRecord
  | Base
  /** Restates what `settled` records said, in a quarter of their room: most devices deliver one event at a time. */
  | { readonly kind: 'archived'; readonly runs: readonly ArchivedRun[] }
  /** Numbers of deleted records that lie between stored ones. */
  | { readonly kind: 'gone'; readonly numbers: readonly Range[] }
  /** Events that left memory because there was no room, in safe mode. They never had a number. */
  | { readonly kind: 'dropped'; readonly dropped: CountBySeverity }
  | { readonly kind: 'declared'; readonly count: number }
  /** All before this restates what earlier journal segments held; they may go. */
  | { readonly kind: 'complete' };
