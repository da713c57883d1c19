import type { Event } from '@tps/contract';
import { jsonBytes } from '../../encoding/bytes.ts';
import type { ChainEnd, LocalEvent, SealEvents, SealLimits } from '../event-store.ts';
import { type Entry, isWaiting, type Segment, type StoredEntry } from '../segments/segment.ts';

/** Size of the sequence number and hash that sealing adds. */
const CHAIN_MEMBERS_BYTES = 130;

export interface BatchEntry extends StoredEntry {
  readonly event: LocalEvent;
}

/**
 * Chooses the events to send next. An event waits when it is not due, or when it corrects a waiting event that is not in
 * the batch before it.
 *
 * @param read returns undefined for an event whose bytes are damaged
 */
export async function chooseEvents(
  ordered: Iterable<StoredEntry>,
  read: (segment: Segment, entry: Entry) => Promise<LocalEvent | undefined>,
  { maxEvents, maxBytes, isDue = () => true }: SealLimits,
): Promise<BatchEntry[]> {
  const chosen: BatchEntry[] = [];
  const entries = new Set<Entry>();
  let bytes = 0;
  for (const { segment, entry } of ordered) {
    if (entry.root !== undefined && isWaiting(entry.root) && !entries.has(entry.root)) {
      continue;
    }
    const event = await read(segment, entry);
    if (event === undefined || !isDue(event)) {
      continue;
    }
    bytes += jsonBytes(event) + CHAIN_MEMBERS_BYTES;
    if (chosen.length > 0 && bytes > maxBytes) {
      break;
    }
    chosen.push({ segment, entry, event });
    entries.add(entry);
    if (chosen.length >= maxEvents) {
      break;
    }
  }
  return chosen;
}

/** Seals as many of the chosen events, in order, as fit into the limit as sent: at least one. */
export function sealWhatFits(
  sealEvents: SealEvents,
  chosen: readonly BatchEntry[],
  { end, maxBytes }: { end: ChainEnd; maxBytes: number },
): { events: readonly Event[]; end: ChainEnd } {
  const local = chosen.map(({ event }) => event);
  const sealed = sealEvents(local, end);
  let [bytes, count] = [0, 0];
  for (const event of sealed.events) {
    bytes += jsonBytes(event) + 1;
    if (count > 0 && bytes > maxBytes) {
      return sealEvents(local.slice(0, count), end);
    }
    count += 1;
  }
  return sealed;
}
