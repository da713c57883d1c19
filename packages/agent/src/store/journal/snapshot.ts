import type { Settlement } from '../segments/segment.ts';
import type { ArchivedRun, JournalRecord, RefusedEvent } from './journal-record.ts';
import type { JournalState } from './journal-state.ts';

/** Keeps each journal record far below the maximum size of a record. */
const RUNS_PER_RECORD = 1000;
const NOTHING_MISSING = { records: 0, undelivered: 0 };

/** Restates the journal state, and the settlements of all stored events, as journal records. */
export function toSnapshot(
  journalState: JournalState,
  settlements: Iterable<readonly [number: number, settlement: Settlement]>,
): JournalRecord[] {
  const { dropped, declared, end, finishedOutbox, head, gone, deletions, oldest, missing } = journalState;
  return [
    { kind: 'base', dropped, declared, end, finishedOutbox, head, oldest, missing },
    ...chunks(gone).map((numbers) => ({ kind: 'gone', numbers }) as const),
    // The base already counts these, and what the deletions dropped.
    ...chunks(journalState.missingNumbers).map(
      (numbers) => ({ kind: 'missing', numbers, count: NOTHING_MISSING }) as const,
    ),
    ...deletions.map((deletion) => ({ ...deletion, dropped: {}, numbers: [] })),
    ...settledRecords(settlements),
    { kind: 'complete' },
  ];
}

function settledRecords(settlements: Iterable<readonly [number, Settlement]>): JournalRecord[] {
  const runs: [...ArchivedRun][] = [];
  const refused: RefusedEvent[] = [];
  let before: Settlement | undefined;
  for (const [number, settlement] of [...settlements].sort(([one], [other]) => one - other)) {
    const run = runs.at(-1);
    if (settlement.kind === 'refused') {
      refused.push({ number, refusedAt: settlement.refusedAt, ...settlement.refusal });
    } else if (run !== undefined && settlement === before && run[1] === number - 1) {
      run[1] = number;
    } else {
      runs.push([number, number, Date.parse(settlement.deliveredAt), Date.parse(settlement.archivedAt)]);
    }
    before = settlement;
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
