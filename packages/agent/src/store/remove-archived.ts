import type { Outcome, Segment } from './segments/segment.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/** Deletes the segments whose events were all settled before a time. Gives how many events went. */
export async function removeArchived({ catalog, ring }: UnlockedStore, beforeMs: number): Promise<number> {
  let count = 0;
  for (const segment of catalog.segments.filter((each) => isOver(each, beforeMs))) {
    await ring.delete(segment, 'retention');
    count += segment.entries.length;
  }
  return count;
}

/** Where nothing could be read, nobody knows how old it is: that stays until its room is needed. */
function isOver({ entries }: Segment, beforeMs: number): boolean {
  return entries.length > 0 && entries.every(({ outcome }) => settledAtMs(outcome) < beforeMs);
}

function settledAtMs(outcome: Outcome | undefined): number {
  switch (outcome?.kind) {
    case 'archived':
      return Date.parse(outcome.archivedAt);
    case 'refused':
      return Date.parse(outcome.refusedAt);
    default:
      return Number.POSITIVE_INFINITY;
  }
}
