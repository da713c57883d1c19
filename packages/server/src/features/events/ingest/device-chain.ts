import type { Event } from '@tps/contract';
import type { DeviceChainState } from '../../feed/index.ts';

/** The end of a device's own event chain. */
export interface DeviceChainEnd {
  readonly sequence: number | null;
  /** SHA-256 of the RFC 8785 form of the device's last event, as the device sent it. */
  readonly eventHash: Uint8Array | null;
}

/** An event as the device sent it, with the hash that the next event may refer to. */
export interface ChainedEvent extends Pick<Event, 'sequence' | 'previous_event_hash'> {
  readonly receivedHash: Uint8Array;
}

/**
 * Determines how an event fits its device's chain, and the new end of the chain.
 *
 * A gap is declared if the event skips numbers without naming a previous event: the device no longer has it. It is
 * undeclared if the event names a previous event that never arrived. A fork is a second event at an occupied place.
 */
export function advanceChain(
  end: DeviceChainEnd,
  event: ChainedEvent,
): { state: DeviceChainState; end: DeviceChainEnd } {
  const state = chainState(end, event);
  if (state === 'fork') return { state, end };
  return { state, end: { sequence: event.sequence ?? null, eventHash: event.receivedHash } };
}

function chainState(end: DeviceChainEnd, event: ChainedEvent): DeviceChainState {
  const { sequence, previous_event_hash: previous } = event;
  if (sequence === undefined && previous === undefined) return 'unchained';
  const namesLast = previous !== undefined && end.eventHash !== null && previous === toHex(end.eventHash);
  if (sequence === undefined) return namesLast ? 'linked' : 'gap';

  const skipped = previous === undefined ? 'declared_gap' : 'gap';
  const isStart = sequence === 1 && previous === undefined;
  if (end.sequence === null) return isStart || namesLast ? 'linked' : skipped;
  if (sequence > end.sequence + 1) return skipped;
  if (sequence === end.sequence + 1) return previous === undefined || namesLast ? 'linked' : 'fork';
  return isStart ? 'reset' : 'fork';
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
