import type { Database } from '../../database/index.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { countUnresolved } from './unresolved-incidents-store.ts';

const MAX_AGE_MS = 30_000;

/** Adds the metrics of the incidents of all tenants. */
export function registerIncidentMetrics(metrics: Metrics, { read }: Database): void {
  metrics.sample({
    name: 'incidents',
    maxAgeMs: MAX_AGE_MS,
    gauges: {
      unresolved: {
        name: 'tps_incidents_unresolved',
        help: 'Unresolved incidents by status and severity. At most 10000 are counted.',
        labels: ['status', 'severity'],
      },
    },
    async read() {
      const counts = await countUnresolved(read);
      return {
        unresolved: counts.map(({ status, severity, total }) => ({
          labels: { status, severity },
          value: total,
        })),
      };
    },
  });
}
