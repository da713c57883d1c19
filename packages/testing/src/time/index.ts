export { ManualClock } from './manual-clock.ts';
export { waitUntil } from './wait-until.ts';
