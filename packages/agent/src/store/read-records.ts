import type { EventHistory, StoredRecord } from './event-store.ts';
import type { RecordContent } from './segments/record.ts';
import type { Entry, Segment, Settlement, StoredEntry } from './segments/segment.ts';
import type { UnlockedStore } from './unlocked-store.ts';

export interface ReadRecord {
  readonly content: RecordContent;
  /** The plaintext whose hash is the next record's `previous_event_hash`. */
  readonly text: string;
  readonly entry: Entry;
}

/** Iterates over the records stored at the start, in the order of recording. Holds about one segment per lane in memory. */
export async function* readRecords({
  catalog,
  journalState,
  log,
}: UnlockedStore): AsyncGenerator<ReadRecord> {
  // Records added during the iteration may be in segments that are not in this list.
  const newest = journalState.head.number;
  const lanes = (['priority', 'ordinary'] as const).map((lane) =>
    entriesIn(
      catalog.segments.filter((segment) => segment.lane === lane),
      newest,
    ),
  );
  const heads = lanes.map((lane) => lane.next());
  for (;;) {
    const [first, second] = heads.map((head) => (head.done ? undefined : head.value));
    if (first === undefined && second === undefined) {
      return;
    }
    const lane = numberOf(first) <= numberOf(second) ? 0 : 1;
    const { segment, entry } = (lane === 0 ? first : second) as StoredEntry;
    const read = await log.read(segment, entry);
    if (read !== undefined) {
      yield { ...read, entry };
    }
    heads[lane] = (lanes[lane] as ReturnType<typeof entriesIn>).next();
  }
}

function* entriesIn(segments: readonly Segment[], newest: number): Generator<StoredEntry> {
  for (const segment of segments) {
    for (const entry of segment.entries.filter(({ number }) => number <= newest)) {
      yield { segment, entry };
    }
  }
}

function numberOf(head: { entry: Entry } | undefined): number {
  return head?.entry.number ?? Number.POSITIVE_INFINITY;
}

/** Combines a record with its settlement from the journal. */
export function toStoredRecord(content: RecordContent, { settlement }: Entry): StoredRecord {
  const { number, event, createdAt, enrichedAt, persistedAt } = content;
  const history = {
    created: createdAt,
    enriched: enrichedAt,
    persisted: persistedAt,
    ...settledStages(settlement),
  };
  return {
    number,
    event,
    history,
    refusal: settlement?.kind === 'refused' ? settlement.refusal : undefined,
  };
}

function settledStages(settlement: Settlement | undefined): EventHistory {
  switch (settlement?.kind) {
    case 'archived':
      return { delivered: settlement.deliveredAt, archived: settlement.archivedAt };
    case 'refused':
      return { refused: settlement.refusedAt };
    default:
      return {};
  }
}
