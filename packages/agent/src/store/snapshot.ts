import type { JournalRecord, RefusedEvent, Settled } from './journal-record.ts';
import type { Ledger } from './ledger.ts';
import { type Range, toRanges } from './number-ranges.ts';
import type { Outcome } from './segment.ts';

/** Keeps each journal record far below what a record can hold. */
const RUNS_PER_RECORD = 2000;

/** Restates a ledger, and the outcomes of all events that are still stored, as journal records. */
export function snapshotOf(
  ledger: Ledger,
  outcomes: Iterable<readonly [number: number, outcome: Outcome]>,
): JournalRecord[] {
  const { dropped, declared, end, finishedOutbox, head, gone, deletions } = ledger;
  return [
    { kind: 'base', dropped, declared, end, finishedOutbox, head },
    ...chunks(gone).map((numbers) => ({ kind: 'gone', numbers }) as const),
    // What they dropped is in the base.
    ...deletions.map((deletion) => ({ ...deletion, dropped: {}, numbers: [] })),
    ...settledRecords(outcomes),
    { kind: 'complete' },
  ];
}

function settledRecords(outcomes: Iterable<readonly [number, Outcome]>): Settled[] {
  const archived = new Map<Outcome & { kind: 'archived' }, number[]>();
  const refused: RefusedEvent[] = [];
  for (const [number, outcome] of outcomes) {
    if (outcome.kind === 'refused') {
      refused.push({ number, refusedAt: outcome.refusedAt, ...outcome.refusal });
    } else {
      const numbers = archived.get(outcome) ?? [];
      numbers.push(number);
      archived.set(outcome, numbers);
    }
  }
  const records: Settled[] = [];
  for (const [{ deliveredAt, archivedAt }, numbers] of archived) {
    const ranges: Range[] = toRanges(numbers.sort((one, other) => one - other));
    for (const chunk of chunks(ranges)) {
      records.push({ kind: 'settled', archived: chunk, deliveredAt, archivedAt, refused: [] });
    }
  }
  for (const chunk of chunks(refused)) {
    records.push({ kind: 'settled', archived: [], deliveredAt: '', archivedAt: '', refused: chunk });
  }
  return records;
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += RUNS_PER_RECORD) {
    parts.push(items.slice(at, at + RUNS_PER_RECORD));
  }
  return parts;
}
