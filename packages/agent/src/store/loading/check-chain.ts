import type { JournalState } from '../journal/journal-state.ts';
import { mergeRanges, type Range, without } from '../journal/number-ranges.ts';

/** A stored record's place in the local chain. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
  /** The hash of the record before it, as it names it. */
  readonly previous: string | undefined;
}

export interface ChainCheck {
  /** Numbers of records that were stored, were not deleted by the store, and are not there. */
  readonly missing: Range[];
  /** Records that do not name the one right before them. */
  readonly broken: number;
}

/**
 * Compares the records found on disk, in order, with the journal: each number from the oldest to the newest is there or
 * was deleted, and each record names the one before it. Pure.
 */
export function checkChain(links: readonly ChainLink[], journalState: JournalState): ChainCheck {
  const { gone, missingNumbers, head } = journalState;
  const explained = mergeRanges([...gone, ...missingNumbers]);
  const missing: Range[] = [];
  let broken = 0;
  let next = journalState.oldest ?? links[0]?.number ?? head.number + 1;
  let before: ChainLink | undefined;
  for (const link of links) {
    if (link.number > next) missing.push(...without([next, link.number - 1], explained));
    else if (before !== undefined && link.previous !== before.hash) broken += 1;
    next = Math.max(next, link.number + 1);
    before = link;
  }
  if (head.number >= next) missing.push(...without([next, head.number], explained));
  return { missing, broken };
}
