import { BATCH_LIMIT } from '@tps/contract/vocabulary';
import type { Ledger } from '../journal/journal-state.ts';
import { type Outbox, outboxFile, unsettled } from '../outbox/outbox.ts';
import type { Catalog } from '../segments/catalog.ts';
import type { Outcome, StoredEntry } from '../segments/segment.ts';
import { JOURNAL_LIMIT_BYTES } from '../segments/segment-format.ts';
import { counterOf, keyFile, logFile } from '../segments/segment-name.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import { type FoundOutbox, type FoundSegment, findFiles } from './load-files.ts';
import { loadJournal } from './load-journal.ts';
import { loadSegments } from './load-segments.ts';

/** A store as it was found on disk. */
export interface LoadedStore {
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly outbox: Outbox | undefined;
  readonly damaged: number;
  /** Of all segments that anything remembers. */
  readonly highestCounter: number;
  readonly otherBytes: number;
  /** Journal segments with their sizes, which the next one replaces. */
  readonly journals: ReadonlyMap<string, number>;
  /** Files of deletions and beginnings that were interrupted, to be removed. */
  readonly leftovers: readonly string[];
}

/** Reads everything that is on disk, and changes nothing. */
export async function loadStore(ports: SegmentPorts & { budgetBytes: number }): Promise<LoadedStore> {
  const found = await findFiles(ports);
  const journalLimit = Math.max(JOURNAL_LIMIT_BYTES, ports.budgetBytes);
  const journals = found.segments.filter(({ lane }) => lane === 'journal');
  const { ledger, damaged: journalDamaged } = await loadJournal(ports.storage, journals, journalLimit);
  const deleted = new Set(ledger.deletions.map(({ segment }) => segment));
  const lanes = found.segments.filter(({ lane }) => lane !== 'journal');
  const stored = lanes.filter(({ segment, logBytes }) => logBytes !== undefined && !deleted.has(segment));
  const { catalog, head, damaged } = await loadSegments(ports, stored, ledger);
  const batch = loadOutbox(found.outboxes, { ledger, catalog });
  ledger.advanceHead(head);
  ledger.advanceHead({ number: highestIn(ledger.outcomes, batch.outbox), hash: undefined });
  if (journalDamaged + batch.damaged > 0) {
    skipUncertainSequence(ledger);
  }
  for (const { opener, segment } of found.segments) {
    if (!stored.some((each) => each.segment === segment)) {
      opener?.key.destroy();
    }
  }
  ledger.outcomes = undefined;
  return {
    catalog,
    ledger,
    outbox: batch.outbox,
    damaged: damaged + journalDamaged + batch.damaged,
    highestCounter: Math.max(
      0,
      ...found.segments.map(({ counter }) => counter),
      ...[...deleted].map(counterOf),
    ),
    otherBytes: found.otherBytes,
    journals: new Map(
      journals.map((each) => [each.segment, (each.logBytes ?? 0) + (each.keyFileBytes ?? 0)]),
    ),
    leftovers: [...lanes.filter((each) => !stored.includes(each)).flatMap(filesOf), ...batch.leftovers],
  };
}

/** The key goes first: what is left without it can never be read again. */
function filesOf({ segment }: FoundSegment): string[] {
  return [keyFile(segment), logFile(segment)];
}

/** A batch stays until each of its events has a verdict. One that is finished was about to be removed. */
function loadOutbox(
  outboxes: readonly FoundOutbox[],
  { ledger, catalog }: { ledger: Ledger; catalog: Catalog },
) {
  const open = outboxes.filter(({ number }) => number > ledger.finishedOutbox);
  const newest = open.at(-1);
  const leftovers = outboxes.filter((each) => each !== newest).map(({ number }) => outboxFile(number));
  if (newest === undefined) {
    return { outbox: undefined, leftovers, damaged: 0 };
  }
  if (newest.read === undefined) {
    return { outbox: undefined, leftovers: [...leftovers, outboxFile(newest.number)], damaged: 1 };
  }
  const { content, sizeBytes } = newest.read;
  const numbers = new Set(content.items.map(({ number }) => number));
  const entries = new Map<number, StoredEntry>();
  for (const segment of catalog.segments) {
    for (const entry of segment.entries.filter(({ number }) => numbers.has(number))) {
      entries.set(entry.number, { segment, entry });
    }
  }
  const outcomes = new Map<number, Outcome>();
  for (const number of numbers) {
    const outcome = ledger.outcomes?.get(number);
    if (outcome !== undefined) {
      outcomes.set(number, outcome);
    }
  }
  const outbox: Outbox = { ...content, number: newest.number, sizeBytes, entries, outcomes };
  ledger.end = content.end;
  if (unsettled(outbox).length === 0) {
    ledger.finishedOutbox = newest.number;
    return { outbox: undefined, leftovers: [...leftovers, outboxFile(newest.number)], damaged: 0 };
  }
  return { outbox, leftovers, damaged: 0 };
}

function highestIn(outcomes: Ledger['outcomes'], outbox: Outbox | undefined): number {
  let highest = 0;
  for (const number of outcomes?.keys() ?? []) {
    highest = Math.max(highest, number);
  }
  for (const { number } of outbox?.items ?? []) {
    highest = Math.max(highest, number);
  }
  return highest;
}

/** How far the chain had come is not known for sure: better a gap that the service sees than a number twice. */
function skipUncertainSequence(ledger: Ledger): void {
  const { end, head, droppedInAll } = ledger;
  const droppedCovered = Math.max(end.droppedCovered, droppedInAll);
  // The batch that cannot be read may have skipped as many numbers as events were dropped before it.
  const skipped = droppedCovered - end.droppedCovered;
  ledger.end = { sequence: Math.max(end.sequence + skipped, head.number) + BATCH_LIMIT, droppedCovered };
}
