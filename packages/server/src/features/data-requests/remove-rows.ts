import { eraseEvents } from './erase-events.ts';
import type { RecordSource } from './record-source.ts';
import { redactRows, settleIncidents, settleTimeline } from './redact-rows.ts';
import type { Removal } from './removal.ts';
import { removeAlertsWithoutEvents, removeMembers, settleThreats } from './remove-derived.ts';
import { removeJobs } from './remove-references.ts';
import { deleteRows, keyOf, type Row, updateRows } from './subject-rows-store.ts';

/** Removes records about the subject, each as its source demands. Returns whether all of them are done. */
export async function removeRows(
  removal: Removal,
  named: { source: RecordSource; rows: readonly Row[] },
): Promise<boolean> {
  const { source, rows } = named;
  if (rows.length === 0) return true;
  if (source.removal === 'event') return eraseEvents(removal, rows);
  await removeWhole(removal, named);
  return true;
}

async function removeWhole(
  removal: Removal,
  named: { source: RecordSource; rows: readonly Row[] },
): Promise<void> {
  const { tx, tenantId } = removal;
  const { source, rows } = named;
  const { table, cleared = {} } = source;
  const keys = rows.map((row) => keyOf(source, row));
  const valuesOf = (column: string) => [...new Set(rows.map((row) => String(row[column])))];
  switch (source.removal) {
    case 'row':
      removal.add(table, await deleteRows(tx, tenantId, { source, keys }));
      return;
    case 'clear':
      removal.add(table, await updateRows(tx, tenantId, { source, keys, changes: cleared }));
      return;
    case 'redact':
      return redactRows(removal, named);
    case 'alert':
      return removeAlertsWithoutEvents(removal, rows);
    case 'threat':
      return settleThreats(removal, valuesOf('threat_id'));
    case 'member':
      return removeMembers(removal, named);
    case 'incident':
      return settleIncidents(removal, named);
    case 'timeline':
      return settleTimeline(removal, named);
    case 'job':
      return removeJobs(removal, valuesOf('job_id'));
  }
}
