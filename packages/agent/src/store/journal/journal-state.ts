import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { Outcome } from '../segments/segment.ts';
import { logFile } from '../segments/segment-name.ts';
import type {
  ArchivedRun,
  CountBySeverity,
  DeletionRecord,
  JournalRecord,
  LocalHead,
  SentEnd,
  SettlementRecord,
} from './journal-record.ts';
import { mergeRanges, type Range } from './number-ranges.ts';

/** Deletions that are remembered for people; older ones are only counted. */
const DELETIONS_KEPT = 50;

/** What the journal says, added up. Changes only by applying journal records, read or just written. */
export class Ledger {
  readonly dropped: Record<Severity, number> = { low: 0, medium: 0, high: 0, critical: 0 };
  declared = 0;
  end: SentEnd = { sequence: 0, droppedCovered: 0 };
  finishedOutbox = 0;
  head: LocalHead = { number: 0, hash: undefined };
  gone: Range[] = [];
  deletions: DeletionRecord[] = [];
  /** By number of record: only while the journal is being read. */
  outcomes: Map<number, Outcome> | undefined = new Map();

  get droppedInAll(): number {
    return SEVERITIES.reduce((sum, severity) => sum + this.dropped[severity], 0);
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

  /** Forgets what nobody can ask for any more: holes before the oldest stored record, and deletions long done. */
  forget(oldestNumber: number, pendingFiles: ReadonlySet<string>): void {
    this.gone = this.gone.filter(([, last]) => last > oldestNumber);
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
    const outcome: Outcome = {
      kind: 'archived',
      deliveredAt: new Date(deliveredAtMs).toISOString(),
      archivedAt: new Date(archivedAtMs).toISOString(),
    };
    for (let number = first; number <= last; number += 1) {
      this.outcomes?.set(number, outcome);
    }
  }

  #applySettled({ archived, deliveredAt, archivedAt, refused, finished }: SettlementRecord): void {
    if (this.outcomes !== undefined) {
      const outcome: Outcome = { kind: 'archived', deliveredAt, archivedAt };
      for (const [first, last] of archived) {
        for (let number = first; number <= last; number += 1) {
          this.outcomes.set(number, outcome);
        }
      }
      for (const { number, refusedAt, ...refusal } of refused) {
        this.outcomes.set(number, { kind: 'refused', refusedAt, refusal });
      }
    }
    if (finished !== undefined) {
      this.end = finished.end;
      this.finishedOutbox = finished.outbox;
    }
  }
}
