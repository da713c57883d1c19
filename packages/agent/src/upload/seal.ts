import type { Event } from '@tps/contract';
import { redactEvent } from '@tps/detection';
import canonicalize from 'canonicalize';
import type { ChainEnd, SealEvents } from '../store/event-store.ts';
import { withinLimits } from './fit-limits.ts';

/**
 * Makes what turns stored events into what is sent: redacted, numbered, and each with the hash of the one before it.
 *
 * Where the end of the chain has no hash, the next event names no previous one: it is the first of its device, or the
 * service lacks what has the numbers before it, which declares the gap.
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
  return { sequence: sequence + 1, ...(hash === undefined ? {} : { previous_event_hash: hash }) };
}
