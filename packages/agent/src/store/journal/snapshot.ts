import type { Outcome } from '../segments/segment.ts';
import type { ArchivedRun, JournalRecord, RefusedEvent } from './journal-record.ts';
import type { Ledger } from './journal-state.ts';

/** Keeps each journal record far below what a record can hold. */
const RUNS_PER_RECORD = 1000;

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

function settledRecords(outcomes: Iterable<readonly [number, Outcome]>): JournalRecord[] {
  const runs: [...ArchivedRun][] = [];
  const refused: RefusedEvent[] = [];
  let before: Outcome | undefined;
  for (const [number, outcome] of [...outcomes].sort(([one], [other]) => one - other)) {
    const run = runs.at(-1);
    if (outcome.kind === 'refused') {
      refused.push({ number, refusedAt: outcome.refusedAt, ...outcome.refusal });
    } else if (run !== undefined && outcome === before && run[1] === number - 1) {
      run[1] = number;
    } else {
      runs.push([number, number, Date.parse(outcome.deliveredAt), Date.parse(outcome.archivedAt)]);
    }
    before = outcome;
  }
  return [
    ...chunks(runs).map((chunk) => ({ kind: 'archived', runs: chunk }) as const),
    ...chunks(refused).map(
      (chunk) =>
        ({ kind: 'settled', archived: [], deliveredAt: '', archivedAt: '', refused: chunk }) as const,
    ),
  ];
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += RUNS_PER_RECORD) {
    parts.push(items.slice(at, at + RUNS_PER_RECORD));
  }
  return parts;
}
