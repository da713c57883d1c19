import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import * as backupRecordStore from './backup/backup-record-store.ts';
import { DATA_CLASSES, retentionOf } from './retention/data-class.ts';

/** The work that is repeated: `upkeep` once a minute, and `purge`, which ends what is past its retention, once an hour. */
export type MaintenanceTask = 'upkeep' | 'purge';
const TASKS: readonly MaintenanceTask[] = ['upkeep', 'purge'];

/** Adds the metrics of maintenance. Returns what counts its rounds. */
export function registerMaintenanceMetrics(
  metrics: Metrics,
  { database, clock, retention }: { database: Database; clock: Clock; retention: Config['retention'] },
): (task: MaintenanceTask, outcome: 'succeeded' | 'failed') => void {
  const rounds = metrics.counter({
    name: 'tps_maintenance_runs_total',
    help: 'Rounds of maintenance by task and outcome: succeeded or failed.',
    labels: ['task', 'outcome'],
  });
  const succeededAtMs = new Map<MaintenanceTask, number>();
  metrics.gauge(
    {
      name: 'tps_maintenance_last_success_timestamp_seconds',
      help: 'Unix time at which a task last succeeded in this process. 0 before that.',
      labels: ['task'],
    },
    () => TASKS.map((task) => ({ labels: { task }, value: (succeededAtMs.get(task) ?? 0) / 1000 })),
  );
  const days = retentionOf(retention, new Map());
  metrics.gauge(
    {
      name: 'tps_retention_seconds',
      help: 'For how long data of a class is kept, where a tenant has no other setting.',
      labels: ['data_class'],
    },
    () =>
      DATA_CLASSES.map((dataClass) => ({
        labels: { data_class: dataClass },
        value: days[dataClass].days * 86_400,
      })),
  );
  if (database.engine === 'sqlite') registerBackupMetrics(metrics, database);
  for (const task of TASKS) {
    for (const outcome of ['succeeded', 'failed']) rounds.inc({ task, outcome }, 0);
  }
  return (task, outcome) => {
    rounds.inc({ task, outcome });
    if (outcome === 'succeeded') succeededAtMs.set(task, clock.now());
  };
}

/** PostgreSQL is backed up by other programs, of which the service does not know. */
function registerBackupMetrics(metrics: Metrics, { read }: Database): void {
  metrics.sample({
    name: 'backup',
    maxAgeMs: 60_000,
    gauges: {
      last: {
        name: 'tps_backup_last_success_timestamp_seconds',
        help: 'Unix time at which the newest backup of this store began, made with tps backup. 0 if there is none. SQLite only.',
      },
    },
    async read() {
      return { last: ((await backupRecordStore.find(read)) ?? 0) / 1000 };
    },
  });
}
