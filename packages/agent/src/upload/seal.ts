import type { Event } from '@tps/contract';
import type { redactEvent as redact } from '@tps/detection';
import canonicalize from 'canonicalize';
import type { ChainEnd, SealEvents } from '../store/event-store.ts';
import { fitLimits } from './fit-limits.ts';

/**
 * Creates the function that turns stored events into what is sent: redacted, numbered, and each with the hash of the
 * event before it.
 *
 * Where the end of the chain has no hash, the next event names no previous one. Either it is the device's first event,
 * or events before it are missing; the skipped numbers then declare the gap to the service.
 */
export function createSeal({
  sha256Hex,
  redactEvent,
}: {
  sha256Hex: (text: string) => string;
  redactEvent: typeof redact;
}): SealEvents {
  return (events, from) => {
    let end: ChainEnd = from;
    const sealed = events.map((event) => {
      const chained: Event = { ...fitLimits(redactEvent(event)), ...nextLink(end) };
      end = { sequence: chained.sequence ?? 0, hash: sha256Hex(canonicalize(chained) ?? '') };
      return chained;
    });
    return { events: sealed, end };
  };
}

function nextLink({ sequence, hash }: ChainEnd): Pick<Event, 'sequence' | 'previous_event_hash'> {
  return { sequence: sequence + 1, ...(hash === undefined ? {} : { previous_event_hash: hash }) };
}
