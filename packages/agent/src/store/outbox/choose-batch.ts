import type { Event } from '@tps/contract';
import { jsonBytes } from '../../encoding/plain-json.ts';
import type { ChainEnd, LocalEvent, SealEvents, SealLimits } from '../event-store.ts';
import { type Entry, isWaiting, type Segment, type StoredEntry } from '../segments/segment.ts';

/** Sequence and hash, which an event gets when it is sealed. */
const CHAIN_MEMBERS_BYTES = 130;

export interface BatchEntry extends StoredEntry {
  readonly event: LocalEvent;
}

/**
 * Chooses what is sent next. An event that is not due, and a correction of one that is not sent before it, waits.
 * `read` gives undefined for an event whose bytes were damaged.
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

/** Seals as many of the chosen events, in order, as fit in the form in which they are sent: at least one. */
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
