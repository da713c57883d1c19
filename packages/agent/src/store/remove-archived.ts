import type { Segment, Settlement } from './segments/segment.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/** Deletes the segments whose events were all settled before the time. Returns the number of deleted events. */
export async function removeArchived({ catalog, ring }: UnlockedStore, beforeMs: number): Promise<number> {
  let count = 0;
  for (const segment of catalog.segments.filter((each) => isExpired(each, beforeMs))) {
    await ring.delete(segment, 'retention');
    count += segment.entries.length;
  }
  return count;
}

/** The age of an unreadable segment is unknown: it stays until its space is needed. */
function isExpired({ entries }: Segment, beforeMs: number): boolean {
  return entries.length > 0 && entries.every(({ settlement }) => settledAtMs(settlement) < beforeMs);
}

function settledAtMs(settlement: Settlement | undefined): number {
  switch (settlement?.kind) {
    case 'archived':
      return Date.parse(settlement.archivedAt);
    case 'refused':
      return Date.parse(settlement.refusedAt);
    default:
      return Number.POSITIVE_INFINITY;
  }
}
