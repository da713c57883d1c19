import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { presenceOf } from './device-presence.ts';
import { listSeen } from './device-presence-store.ts';

/** The devices are read in steps. This bounds how often. */
const MAX_AGE_MS = 300_000;
const STATES = ['online', 'stale', 'offline', 'revoked'] as const;

/** Adds the metrics of the devices of all tenants. */
export function registerDeviceMetrics(
  metrics: Metrics,
  { database: { read }, clock }: { database: Database; clock: Clock },
): void {
  metrics.sample({
    name: 'devices',
    maxAgeMs: MAX_AGE_MS,
    gauges: {
      devices: {
        name: 'tps_devices',
        help: 'Devices by state: seen within 15 minutes (online), within a day (stale), not since (offline), or revoked.',
        labels: ['state'],
      },
    },
    async read() {
      const nowMs = clock.now();
      const counts = { online: 0, stale: 0, offline: 0, revoked: 0 };
      for await (const { isActive, lastSeenMs } of listSeen(read)) {
        counts[isActive ? presenceOf(lastSeenMs, nowMs) : 'revoked'] += 1;
      }
      return { devices: STATES.map((state) => ({ labels: { state }, value: counts[state] })) };
    },
  });
}
