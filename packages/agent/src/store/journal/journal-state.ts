import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { Settlement } from '../segments/segment.ts';
import { logFile } from '../segments/segment-name.ts';
import type {
  ArchivedRun,
  CountBySeverity,
  DeletionRecord,
  JournalRecord,
  LocalHead,
  MissingCount,
  SentEnd,
  SettlementRecord,
} from './journal-record.ts';
import { mergeRanges, type Range } from './number-ranges.ts';

/** Deletions kept for diagnosis; older ones are only counted. */
const DELETIONS_KEPT = 50;

/** The sum of the journal's records. Changes only when a record that was read or written is applied. */
export class JournalState {
  readonly dropped: Record<Severity, number> = { low: 0, medium: 0, high: 0, critical: 0 };
  declared = 0;
  end: SentEnd = { sequence: 0, droppedCovered: 0 };
  finishedOutbox = 0;
  head: LocalHead = { number: 0, hash: undefined };
  gone: Range[] = [];
  /** Numbers of records found missing. Unlike those in `gone`, they were not deleted by the store. */
  missingNumbers: Range[] = [];
  missing: MissingCount = { records: 0, undelivered: 0 };
  /** The oldest record that has to be there; undefined when the journal was written by an older version. */
  oldest: number | undefined;
  deletions: DeletionRecord[] = [];
  /** By record number; only while the journal is being read. */
  settlements: Map<number, Settlement> | undefined = new Map();

  /** Events that the service will never get: dropped for lack of space, or missing. */
  get lostInAll(): number {
    return SEVERITIES.reduce((sum, severity) => sum + this.dropped[severity], this.missing.undelivered);
  }

  apply(record: JournalRecord): void {
    switch (record.kind) {
      case 'settled':
        this.#applySettled(record);
        break;
      case 'deleted':
        this.#drop(record.dropped);
        this.advanceHead(record.head);
        this.gone = mergeRanges([...this.gone, ...record.numbers]);
        this.deletions.push(record);
        break;
      case 'base':
        Object.assign(this.dropped, record.dropped);
        this.declared = record.declared;
        this.end = record.end;
        this.finishedOutbox = record.finishedOutbox;
        this.advanceHead(record.head);
        this.oldest = record.oldest;
        this.missing = record.missing ?? this.missing;
        break;
      case 'head':
        this.advanceHead(record.head);
        break;
      case 'missing':
        this.missingNumbers = mergeRanges([...this.missingNumbers, ...record.numbers]);
        this.missing = {
          records: this.missing.records + record.count.records,
          undelivered: this.missing.undelivered + record.count.undelivered,
        };
        break;
      case 'archived':
        for (const run of record.runs) {
          this.#applyArchived(run);
        }
        break;
      case 'gone':
        this.gone = mergeRanges([...this.gone, ...record.numbers]);
        break;
      case 'dropped':
        this.#drop(record.dropped);
        break;
      case 'declared':
        this.declared += record.count;
        break;
      case 'complete':
        break;
    }
  }

  advanceHead(head: LocalHead): void {
    if (head.number > this.head.number) {
      this.head = head;
    }
  }

  /** Drops what is no longer needed: gaps before the oldest stored record, and old completed deletions. */
  forget(oldestNumber: number, pendingFiles: ReadonlySet<string>): void {
    // With nothing stored, the next record will be the oldest.
    this.oldest = Math.min(oldestNumber, this.head.number + 1);
    this.gone = this.gone.filter(([, last]) => last > oldestNumber);
    this.missingNumbers = this.missingNumbers.filter(([, last]) => last > oldestNumber);
    const kept = this.deletions.slice(-DELETIONS_KEPT);
    this.deletions = this.deletions.filter(
      (deletion) => pendingFiles.has(logFile(deletion.segment)) || kept.includes(deletion),
    );
  }

  #drop(counts: CountBySeverity): void {
    for (const severity of SEVERITIES) {
      this.dropped[severity] += counts[severity] ?? 0;
    }
  }

  #applyArchived([first, last, deliveredAtMs, archivedAtMs]: ArchivedRun): void {
    const settlement: Settlement = {
      kind: 'archived',
      deliveredAt: new Date(deliveredAtMs).toISOString(),
      archivedAt: new Date(archivedAtMs).toISOString(),
    };
    for (let number = first; number <= last; number += 1) {
      this.settlements?.set(number, settlement);
    }
  }

  #applySettled({ archived, deliveredAt, archivedAt, refused, finished }: SettlementRecord): void {
    if (this.settlements !== undefined) {
      const settlement: Settlement = { kind: 'archived', deliveredAt, archivedAt };
      for (const [first, last] of archived) {
        for (let number = first; number <= last; number += 1) {
          this.settlements.set(number, settlement);
        }
      }
      for (const { number, refusedAt, ...refusal } of refused) {
        this.settlements.set(number, { kind: 'refused', refusedAt, refusal });
      }
    }
    if (finished !== undefined) {
      this.end = finished.end;
      this.finishedOutbox = finished.outbox;
    }
  }
}
