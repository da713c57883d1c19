import type { Event } from '@tps/contract';
import { redactEvent } from '@tps/detection';
import canonicalize from 'canonicalize';
import type { ChainEnd, SealEvents } from '../store/event-store.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Makes what turns stored events into what is sent: redacted, numbered, and each with the hash of the one before it.
 *
 * Where the end of the chain has no hash, events are missing before the next one: it skips a number and names no
 * previous event, which declares the gap. The first event of a device is number 1 and names none.
 */
export function createSeal(sha256Hex: (text: string) => string): SealEvents {
  return (events, from) => {
    let end: ChainEnd = from;
    const sealed = events.map((event) => {
      const chained: Event = { ...withinLimits(redactEvent(event)), ...placeAfter(end) };
      end = { sequence: chained.sequence ?? 0, hash: sha256Hex(canonicalize(chained) ?? '') };
      return chained;
    });
    return { events: sealed, end };
  };
}

function placeAfter({ sequence, hash }: ChainEnd): Pick<Event, 'sequence' | 'previous_event_hash'> {
  if (hash !== undefined) return { sequence: sequence + 1, previous_event_hash: hash };
  return { sequence: sequence === 0 ? 1 : sequence + 2 };
}
