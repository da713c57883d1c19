import type { Feature, SharedParts } from '../../features/feature.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { chainEndsAtMs } from '../../platform/tls/tls-files.ts';
import type { TlsWatch } from '../../platform/tls/tls-watch.ts';

/** Not below the time for which a write that succeeded counts: each check writes a small row otherwise. */
const STORE_MAX_AGE_MS = 10_000;

/** Adds the metrics of the service as a whole. */
export function registerServiceMetrics(
  { metrics, database, version }: SharedParts,
  features: readonly Feature[],
): void {
  const { engine } = database;
  metrics.gauge(
    {
      name: 'tps_build_info',
      help: 'Always 1. The labels are the version of the service and the engine of its store.',
      labels: ['version', 'engine'],
    },
    () => [{ labels: { version, engine }, value: 1 }],
  );
  metrics.gauge(
    {
      name: 'tps_component_up',
      help: 'Whether a component works (1) or not (0): the writer thread, webhook delivery, triage jobs, the models for scans.',
      labels: ['component'],
    },
    () =>
      features.flatMap(({ component }) =>
        component ? [{ labels: { component: component.name }, value: component.isUp() ? 1 : 0 }] : [],
      ),
  );
  metrics.sample({
    name: 'store',
    maxAgeMs: STORE_MAX_AGE_MS,
    gauges: {
      up: { name: 'tps_database_up', help: 'Whether the store accepted a write (1) or not (0).' },
    },
    read: async () => ({
      up: await database.assertWritable().then(
        () => 1,
        () => 0,
      ),
    }),
  });
}

/** Adds the end of the certificate that the API serves. */
export function registerCertificateMetrics(metrics: Metrics, watch: TlsWatch): void {
  metrics.gauge(
    {
      name: 'tps_tls_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the served certificate expires, or the first one of its chain. Only with TLS.',
    },
    () => chainEndsAtMs(watch.served().cert) / 1000,
  );
}
