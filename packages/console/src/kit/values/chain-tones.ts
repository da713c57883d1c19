import type { EventContext } from '@tps/client';
import type { Tone } from './status-badge.tsx';

/** Linked events are usual; all other states of a device's chain say that something is missing or repeated. */
export const CHAIN_TONES: Readonly<Record<EventContext['device_chain']['state'], Tone>> = {
  linked: 'good',
  unchained: 'waiting',
  declared_gap: 'warning',
  reset: 'warning',
  gap: 'bad',
  fork: 'bad',
};
