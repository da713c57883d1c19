import type { Database } from '../../../database/index.ts';
import * as uptimeStore from './uptime-store.ts';

/** Three scans for silent devices. A restart takes less. */
const AWAY_MS = 30 * 60_000;

/**
 * Records in the store that the service is running, and returns since when it has run without a gap of more than
 * half an hour. A stopped service receives nothing: after an outage, in a restored store, or after the clock
 * was wrong, the time starts again from now. Recorded when a scan begins, not when it ends: a failed scan does not
 * mean that devices could not report.
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
