import type { Database } from '../../../database/index.ts';
import * as uptimeStore from './uptime-store.ts';

/** Three looks for silent devices. A restart takes less. */
const AWAY_MS = 30 * 60_000;

/**
 * Notes in the store that the service is there, and gives since when it has been without a gap of more than half an hour. Who
 * was not there heard of no device: after an outage, in a store that was restored, or when the clock was wrong, it counts from now.
 * Noted when a look begins, not when it ends: a look that fails does not mean that devices were not heard of.
 */
export function recordUptime(database: Database, nowMs: number): Promise<number> {
  return database.transaction(async (tx) => {
    const known = await uptimeStore.find(tx);
    const isUnbroken = known !== undefined && Math.abs(nowMs - known.lastMs) <= AWAY_MS;
    const sinceMs = isUnbroken ? known.sinceMs : nowMs;
    await uptimeStore.save(tx, { sinceMs, lastMs: nowMs });
    return sinceMs;
  });
}
