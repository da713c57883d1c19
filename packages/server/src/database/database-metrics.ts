import type { Metrics } from '../platform/metrics/metrics.ts';
import type { ConnectionUse, Database } from './database.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZE_MAX_AGE_MS = 60_000;

/** Adds the metrics of a store. Returns the store with transactions that are measured. */
export function withMetrics(database: Database, metrics: Metrics): Database {
  registerGauges(database, metrics);
  const waits = metrics.histogram(
    { name: 'tps_database_wait_duration_seconds', help: 'Time that transactions waited before they began.' },
    BUCKETS,
  );
  const durations = metrics.histogram(
    {
      name: 'tps_database_transaction_duration_seconds',
      help: 'Duration of transactions with their wait and their commit, by outcome: committed or failed. Without those of the writer thread.',
      labels: ['outcome'],
    },
    BUCKETS,
  );
  for (const outcome of ['committed', 'failed']) durations.zero({ outcome });
  return {
    ...database,
    async transaction(work, options) {
      const startedMs = performance.now();
      const seconds = () => (performance.now() - startedMs) / 1000;
      let hasBegun = false;
      let outcome = 'failed';
      try {
        const result = await database.transaction((tx) => {
          // A transaction that is repeated has waited once.
          if (!hasBegun) waits.observe(seconds());
          hasBegun = true;
          return work(tx);
        }, options);
        outcome = 'committed';
        return result;
      } finally {
        durations.observe({ outcome }, seconds());
      }
    },
  };
}

function registerGauges(database: Database, metrics: Metrics): void {
  const use = (read: (use: ConnectionUse) => number) => () => read(database.connectionUse());
  metrics.gauge(
    { name: 'tps_database_connections_limit', help: 'The most connections of this process to the store.' },
    use(({ limit }) => limit),
  );
  metrics.gauge(
    { name: 'tps_database_connections_in_use', help: 'Connections to the store that are in use.' },
    use(({ inUse }) => inUse),
  );
  metrics.gauge(
    { name: 'tps_database_connections_waiting', help: 'Callers that wait for a connection to the store.' },
    use(({ waiting }) => waiting),
  );
  metrics.sample({
    name: 'size',
    maxAgeMs: SIZE_MAX_AGE_MS,
    gauges: {
      bytes: {
        name: 'tps_database_size_bytes',
        help: 'Size of the store: on SQLite, of the file and its log; on PostgreSQL, of the database.',
      },
      disk: {
        name: 'tps_database_disk_size_bytes',
        help: 'Size of the file system that holds the store. SQLite only.',
      },
      free: {
        name: 'tps_database_disk_free_bytes',
        help: 'Space on the file system of the store that the service can use. SQLite only.',
      },
    },
    async read() {
      const { bytes, disk } = await database.measureSize();
      return { bytes, disk: disk?.bytes, free: disk?.freeBytes };
    },
  });
}
