import type { LocalHead } from '../journal/journal-record.ts';
import type { Ledger } from '../journal/journal-state.ts';
import { Catalog } from '../segments/catalog.ts';
import { decodeRecord, hashOfId, rankOf } from '../segments/record.ts';
import { type Entry, entryOf, Segment } from '../segments/segment.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import { decodeText } from '../segments/text.ts';
import { type FoundSegment, readLog } from './load-files.ts';

export interface LoadedSegments {
  readonly catalog: Catalog;
  /** The newest record that can be read. */
  readonly head: LocalHead;
  readonly damaged: number;
}

/** Reads all segments of events, and builds what is kept of them in memory. */
export async function loadSegments(
  { storage, keys }: SegmentPorts,
  stored: readonly FoundSegment[],
  ledger: Ledger,
): Promise<LoadedSegments> {
  const catalog = new Catalog();
  const byNumber = new Map<number, Entry>();
  const corrections: { entry: Entry; rootId: string }[] = [];
  let [damaged, newest, newestText] = [0, 0, new Uint8Array()];
  for (const found of stored) {
    const content = await readLog(storage, found);
    damaged += content.damaged;
    const segment = segmentOf(found);
    for (const { plaintext, ...place } of [...content.records].sort(
      (one, other) => one.index - other.index,
    )) {
      const { number, event } = decodeRecord(plaintext);
      if (byNumber.has(number)) {
        continue;
      }
      const outcome = ledger.outcomes?.get(number);
      const [rank, idHash] = [rankOf(event), hashOfId(event.event_id)];
      const entry = entryOf(place, { number, rank, idHash, root: undefined, outcome });
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
    entry.root = catalog.candidates(hashOfId(rootId))[0]?.entry;
  }
  const hash = newest === 0 ? undefined : keys.sha256Hex(decodeText(newestText));
  return { catalog, head: { number: newest, hash }, damaged };
}

function segmentOf({ segment, lane, opener, logBytes = 0, keyFileBytes = 0 }: FoundSegment): Segment {
  return new Segment({ name: segment, lane, opener, sizeBytes: logBytes, keyFileBytes });
}
