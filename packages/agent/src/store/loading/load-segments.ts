import { decodeText } from '../../encoding/bytes.ts';
import type { LocalHead } from '../journal/journal-record.ts';
import type { JournalState } from '../journal/journal-state.ts';
import { Catalog } from '../segments/catalog.ts';
import { decodeRecord, hashId, toRank } from '../segments/record.ts';
import { type Entry, Segment, toEntry } from '../segments/segment.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import { type FoundSegment, readLog } from './load-files.ts';

export interface LoadedSegments {
  readonly catalog: Catalog;
  /** The newest record that can be read. */
  readonly head: LocalHead;
  readonly damaged: number;
}

/** Reads all segments of events and builds the catalog in memory. */
export async function loadSegments(
  { storage, keys }: SegmentPorts,
  stored: readonly FoundSegment[],
  journalState: JournalState,
): Promise<LoadedSegments> {
  const catalog = new Catalog();
  const byNumber = new Map<number, Entry>();
  const corrections: { entry: Entry; rootId: string }[] = [];
  let [damaged, newest, newestText] = [0, 0, new Uint8Array()];
  for (const found of stored) {
    const content = await readLog(storage, found);
    damaged += content.damaged;
    const segment = toSegment(found);
    for (const { plaintext, ...position } of [...content.records].sort(
      (one, other) => one.index - other.index,
    )) {
      const { number, event } = decodeRecord(plaintext);
      if (byNumber.has(number)) {
        continue;
      }
      const settlement = journalState.settlements?.get(number);
      const [rank, idHash] = [toRank(event), hashId(event.event_id)];
      const entry = toEntry(position, { number, rank, idHash, root: undefined, settlement });
      byNumber.set(number, entry);
      segment.add(entry);
      if (event.corrects_event_id !== undefined) {
        corrections.push({ entry, rootId: event.corrects_event_id });
      }
      if (number > newest) {
        newest = number;
        newestText = new Uint8Array(plaintext);
      }
    }
    catalog.add(segment);
  }
  for (const { entry, rootId } of corrections) {
    entry.root = catalog.candidates(hashId(rootId))[0]?.entry;
  }
  const hash = newest === 0 ? undefined : keys.sha256Hex(decodeText(newestText));
  return { catalog, head: { number: newest, hash }, damaged };
}

function toSegment({ segment, lane, opener, logBytes = 0, keyFileBytes = 0 }: FoundSegment): Segment {
  return new Segment({ name: segment, lane, opener, sizeBytes: logBytes, keyFileBytes });
}
