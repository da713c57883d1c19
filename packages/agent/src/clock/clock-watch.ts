import type { AgentNotice } from '../agent.ts';
import type { ServiceClock } from './service-clock.ts';

/** Beyond this a person should know that the device's clock is wrong. */
const CLOCK_OFF_MS = 60_000;

/** Makes what tells, once each time it begins, that the device's clock is off. */
export function createClockWatch(
  serviceClock: ServiceClock,
  notify: (notice: AgentNotice) => void,
): () => void {
  let wasOff = false;
  return () => {
    const aheadMs = serviceClock.aheadMs ?? 0;
    const isOff = Math.abs(aheadMs) > CLOCK_OFF_MS;
    if (isOff && !wasOff) {
      const direction = aheadMs > 0 ? 'ahead of' : 'behind';
      const message = `The device's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${direction} the service's.`;
      notify({ kind: 'clock_off', message });
    }
    wasOff = isOff;
  };
}
