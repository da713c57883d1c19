import { BATCH_LIMIT } from '@tps/contract/vocabulary';
import type { MissingCount } from '../journal/journal-record.ts';
import type { JournalState } from '../journal/journal-state.ts';
import type { Range } from '../journal/number-ranges.ts';
import { type Outbox, outboxFile, unsettled } from '../outbox/outbox.ts';
import type { Catalog } from '../segments/catalog.ts';
import type { Settlement, StoredEntry } from '../segments/segment.ts';
import { JOURNAL_LIMIT_BYTES } from '../segments/segment-format.ts';
import { keyFile, logFile, parseCounter } from '../segments/segment-name.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import { checkChain } from './check-chain.ts';
import { type FoundOutbox, type FoundSegment, findFiles } from './load-files.ts';
import { loadJournal } from './load-journal.ts';
import { loadSegments } from './load-segments.ts';

/** A store as found on disk. */
export interface LoadedStore {
  readonly catalog: Catalog;
  readonly journalState: JournalState;
  readonly outbox: Outbox | undefined;
  readonly damaged: number;
  /** Records that were stored, were not deleted by the store, and are not there. */
  readonly missing: number;
  /** The highest counter of all segments, including deleted ones that the journal knows. */
  readonly highestCounter: number;
  readonly otherBytes: number;
  /** The existing journal segments with their sizes. The next one replaces them. */
  readonly journals: ReadonlyMap<string, number>;
  /** Files of interrupted deletions and creations, to be removed. */
  readonly leftovers: readonly string[];
}

/** Reads everything on disk. Changes nothing. */
export async function loadStore(ports: SegmentPorts & { budgetBytes: number }): Promise<LoadedStore> {
  const found = await findFiles(ports);
  const journalLimit = Math.max(JOURNAL_LIMIT_BYTES, ports.budgetBytes);
  const journals = found.segments.filter(({ lane }) => lane === 'journal');
  const { journalState, ...journal } = await loadJournal(ports.storage, journals, journalLimit);
  const journalDamaged = journal.damaged + (isJournalRemoved(found.segments) ? 1 : 0);
  const deleted = new Set(journalState.deletions.map(({ segment }) => segment));
  const lanes = found.segments.filter(({ lane }) => lane !== 'journal');
  const stored = lanes.filter(({ segment, logBytes }) => logBytes !== undefined && !deleted.has(segment));
  const { catalog, links, damaged } = await loadSegments(ports, stored, journalState);
  const batch = loadOutbox(found.outboxes, { journalState, catalog });
  const newest = links.at(-1);
  if (newest !== undefined) journalState.advanceHead(newest);
  journalState.advanceHead({ number: highestIn(journalState.settlements, batch.outbox), hash: undefined });
  const chain = checkChain(links, journalState);
  const missing = countMissing(chain.missing, journalState, batch.outbox);
  if (missing.records > 0) journalState.apply({ kind: 'missing', numbers: chain.missing, count: missing });
  if (journalDamaged + batch.damaged > 0) {
    skipUncertainSequence(journalState);
  }
  for (const { opener, segment } of found.segments) {
    if (!stored.some((each) => each.segment === segment)) {
      opener?.key.destroy();
    }
  }
  journalState.settlements = undefined;
  return {
    catalog,
    journalState,
    outbox: batch.outbox,
    damaged: damaged + journalDamaged + batch.damaged + chain.broken,
    missing: missing.records,
    highestCounter: Math.max(
      0,
      ...found.segments.map(({ counter }) => counter),
      ...[...deleted].map(parseCounter),
    ),
    otherBytes: found.otherBytes,
    journals: new Map(
      journals.map((each) => [each.segment, (each.logBytes ?? 0) + (each.keyFileBytes ?? 0)]),
    ),
    leftovers: [...lanes.filter((each) => !stored.includes(each)).flatMap(filesOf), ...batch.leftovers],
  };
}

/** The key file comes first: without it, the log cannot be read any more. */
function filesOf({ segment }: FoundSegment): string[] {
  return [keyFile(segment), logFile(segment)];
}

/** Loads the batch in progress. A batch whose events all have a result was about to be removed. */
function loadOutbox(
  outboxes: readonly FoundOutbox[],
  { journalState, catalog }: { journalState: JournalState; catalog: Catalog },
) {
  const open = outboxes.filter(({ number }) => number > journalState.finishedOutbox);
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
  const settlements = new Map<number, Settlement>();
  for (const number of numbers) {
    const settlement = journalState.settlements?.get(number);
    if (settlement !== undefined) {
      settlements.set(number, settlement);
    }
  }
  const outbox: Outbox = { ...content, number: newest.number, sizeBytes, entries, settlements };
  journalState.end = content.end;
  if (unsettled(outbox).length === 0) {
    journalState.finishedOutbox = newest.number;
    return { outbox: undefined, leftovers: [...leftovers, outboxFile(newest.number)], damaged: 0 };
  }
  return { outbox, leftovers, damaged: 0 };
}

/**
 * The journal is started before the first segment of events and takes the first counter. A store of an older version may
 * have no journal, but then its first segment has that counter.
 */
function isJournalRemoved(segments: readonly FoundSegment[]): boolean {
  return segments.length > 0 && segments.every(({ lane, counter }) => lane !== 'journal' && counter > 1);
}

/** The service has the events with a result and gets those of the sealed batch: their copies are missing, nothing else. */
function countMissing(
  ranges: readonly Range[],
  { settlements }: JournalState,
  outbox: Outbox | undefined,
): MissingCount {
  const sealed = new Set(outbox?.items.map(({ number }) => number));
  let [records, undelivered] = [0, 0];
  for (const [first, last] of ranges) {
    for (let number = first; number <= last; number += 1) {
      records += 1;
      undelivered += settlements?.has(number) || sealed.has(number) ? 0 : 1;
    }
  }
  return { records, undelivered };
}

function highestIn(settlements: JournalState['settlements'], outbox: Outbox | undefined): number {
  let highest = 0;
  for (const number of settlements?.keys() ?? []) {
    highest = Math.max(highest, number);
  }
  for (const { number } of outbox?.items ?? []) {
    highest = Math.max(highest, number);
  }
  return highest;
}

/** After damage, the end of the chain is uncertain: a gap that the service sees is better than a reused number. */
function skipUncertainSequence(journalState: JournalState): void {
  const { end, head, lostInAll } = journalState;
  const droppedCovered = Math.max(end.droppedCovered, lostInAll);
  // The unreadable batch may have skipped a number for each event dropped before it.
  const skipped = droppedCovered - end.droppedCovered;
  journalState.end = {
    sequence: Math.max(end.sequence + skipped, head.number) + BATCH_LIMIT,
    droppedCovered,
  };
}
