import { eraseEvents } from './erase-events.ts';
import type { RecordSource } from './record-source.ts';
import {
  type Removal,
  removeAlertsWithoutEvents,
  removeIncidents,
  removeJobs,
  settleThreats,
} from './remove-derived.ts';
import { clearRows, deleteRows, keyOf, type Row } from './subject-rows-store.ts';

/** Removes records about the subject, each as its source demands. */
export async function removeRows(
  removal: Removal,
  { source, rows, requestId }: { source: RecordSource; rows: readonly Row[]; requestId: string },
): Promise<void> {
  const { tx, tenantId, removed } = removal;
  const { table, key } = source;
  const keys = rows.map((row) => keyOf(source, row));
  const valuesOf = (column: string) => rows.map((row) => String(row[column]));
  switch (source.removal) {
    case 'row':
      removed.add(table, await deleteRows(tx, tenantId, { table, key, keys }));
      return;
    case 'clear':
      removed.add(table, await clearRows(tx, tenantId, { source, keys }));
      return;
    case 'event':
      return eraseEvents(removal, { rows, requestId });
    case 'alert':
      return removeAlertsWithoutEvents(removal, rows);
    case 'threat':
      return settleThreats(removal, valuesOf('threat_id'));
    case 'incident':
      return removeIncidents(removal, valuesOf('incident_id'));
    case 'job':
      return removeJobs(removal, valuesOf('job_id'));
  }
}
