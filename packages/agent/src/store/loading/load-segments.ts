import { decodeText } from '../../encoding/bytes.ts';
import type { JournalState } from '../journal/journal-state.ts';
import { Catalog } from '../segments/catalog.ts';
import { decodeRecord, hashId, toRank } from '../segments/record.ts';
import { type Entry, Segment, toEntry } from '../segments/segment.ts';
import type { SegmentPorts } from '../segments/segment-writer.ts';
import type { ChainLink } from './check-chain.ts';
import { type FoundSegment, readLog } from './load-files.ts';

export interface LoadedSegments {
  readonly catalog: Catalog;
  /** The places of all records in the chain, by number. */
  readonly links: readonly ChainLink[];
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
  const links: ChainLink[] = [];
  let damaged = 0;
  for (const found of stored) {
    const content = await readLog(storage, found);
    damaged += content.damaged;
    const segment = toSegment(found);
    for (const { plaintext, ...position } of [...content.records].sort(
      (one, other) => one.index - other.index,
    )) {
      const text = decodeText(plaintext);
      const { number, event, previous_event_hash: previous } = decodeRecord(text);
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
      links.push({ number, hash: keys.sha256Hex(text), previous });
    }
    catalog.add(segment);
  }
  for (const { entry, rootId } of corrections) {
    entry.root = catalog.candidates(hashId(rootId))[0]?.entry;
  }
  links.sort((one, other) => one.number - other.number);
  return { catalog, links, damaged };
}

function toSegment({ segment, lane, opener, logBytes = 0, keyFileBytes = 0 }: FoundSegment): Segment {
  return new Segment({ name: segment, lane, opener, sizeBytes: logBytes, keyFileBytes });
}
