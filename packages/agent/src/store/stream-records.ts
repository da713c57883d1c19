import type { RecordContent } from './segments/record.ts';
import type { Entry, Segment, StoredEntry } from './segments/segment.ts';
import type { UnlockedStore } from './unlocked-store.ts';

export interface StreamedRecord {
  readonly content: RecordContent;
  /** What the next record's `previous_event_hash` is made of. */
  readonly text: string;
  readonly entry: Entry;
}

/** Goes through what was stored when it began, in the order of recording, holding about a segment of each lane. */
export async function* streamRecords({
  catalog,
  ledger,
  log,
}: UnlockedStore): AsyncGenerator<StreamedRecord> {
  // What is recorded meanwhile may lie in a segment that is not among these.
  const newest = ledger.head.number;
  const lanes = (['grave', 'ordinary'] as const).map((lane) =>
    entriesOf(
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
    heads[lane] = (lanes[lane] as ReturnType<typeof entriesOf>).next();
  }
}

function* entriesOf(segments: readonly Segment[], newest: number): Generator<StoredEntry> {
  for (const segment of segments) {
    for (const entry of segment.entries.filter(({ number }) => number <= newest)) {
      yield { segment, entry };
    }
  }
}

function numberOf(head: { entry: Entry } | undefined): number {
  return head?.entry.number ?? Number.POSITIVE_INFINITY;
}
