import type { Database } from '../../database/index.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { findOldestEventAt, readTotals } from './feed-totals-store.ts';

const HEAD_MAX_AGE_MS = 10_000;
const OLDEST_MAX_AGE_MS = 300_000;

/** Adds the metrics of the feeds of all tenants. */
export function registerFeedMetrics(metrics: Metrics, { read }: Database): void {
  metrics.sample({
    name: 'feed',
    maxAgeMs: HEAD_MAX_AGE_MS,
    gauges: {
      positions: {
        name: 'tps_feed_head_positions',
        help: 'Sum of the head positions of all feeds: the events that were ever stored. Falls only when a tenant is deleted.',
      },
      last: {
        name: 'tps_feed_last_event_timestamp_seconds',
        help: 'Unix time at which the newest event of all feeds was stored. Without a value before the first event.',
      },
    },
    async read() {
      const { positions, lastEventMs } = await readTotals(read);
      return { positions, last: lastEventMs === undefined ? undefined : lastEventMs / 1000 };
    },
  });
  metrics.sample({
    name: 'feed_start',
    maxAgeMs: OLDEST_MAX_AGE_MS,
    gauges: {
      oldest: {
        name: 'tps_feed_oldest_event_timestamp_seconds',
        help: 'Unix time at which the oldest event that is still kept was stored. Without a value if there is none.',
      },
    },
    async read() {
      const oldestMs = await findOldestEventAt(read);
      return { oldest: oldestMs === undefined ? undefined : oldestMs / 1000 };
    },
  });
}
