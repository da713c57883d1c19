import type { Queries } from '../../database/index.ts';
import type { Tables } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AlertRecord, alertStore } from '../alerts/index.ts';
import { eventStore, type FeedEvent, indicatorKeyOf, maxSeverity } from '../feed/index.ts';
import { recomputeThreat, threatStore } from '../threats/index.ts';
import { deleteWhere, listValues, type Row } from './subject-rows-store.ts';

/** Counts deleted rows by table. */
export class RemovedRows {
  readonly #counts: Partial<Record<keyof Tables, number>> = {};

  add(table: keyof Tables, rows: number): void {
    if (rows > 0) this.#counts[table] = (this.#counts[table] ?? 0) + rows;
  }

  get counts(): Readonly<Partial<Record<keyof Tables, number>>> {
    return this.#counts;
  }
}

/** A deletion inside a transaction that has locked the feed. */
export interface Removal {
  readonly tx: Queries;
  readonly tenantId: TenantId;
  readonly removed: RemovedRows;
  readonly nowMs: number;
}

/** Counts threats again from the events that are left and count, and deletes those without any. */
export async function settleThreats(removal: Removal, threatIds: readonly string[]): Promise<void> {
  const { tx, tenantId, removed } = removal;
  const gone: string[] = [];
  for (const threat of await threatStore.findMany(tx, tenantId, [...new Set(threatIds)])) {
    const events = await eventStore.listEffectiveOfThreat(tx, tenantId, threat.threatId);
    if (events.length > 0) await threatStore.saveMany(tx, tenantId, [recomputeThreat(threat, events)]);
    else {
      gone.push(threat.threatId);
      const keys = threat.indicators.map(indicatorKeyOf);
      const also = { device_id: threat.deviceId, threat_id: threat.threatId };
      const column = 'correlation_key';
      removed.add(
        'sightings',
        await deleteWhere(tx, tenantId, { table: 'sightings', column, values: keys, also }),
      );
    }
  }
  removed.add(
    'threats',
    await deleteWhere(tx, tenantId, { table: 'threats', column: 'threat_id', values: gone }),
  );
  await removeMembers(removal, { kind: 'threat', ids: gone });
}

/** Removes erased events from alerts. An alert whose first event is erased goes: it cannot be explained any more. */
export async function settleAlerts(
  removal: Removal,
  alertIds: readonly string[],
  erasedIds: ReadonlySet<string>,
): Promise<void> {
  const { tx, tenantId, nowMs } = removal;
  const gone: string[] = [];
  for (const alertId of new Set(alertIds)) {
    const alert = await alertStore.find(tx, tenantId, alertId);
    if (!alert) continue;
    const [first] = alert.eventIds;
    if (first === undefined || erasedIds.has(first)) {
      gone.push(alertId);
      continue;
    }
    const eventIds = alert.eventIds.filter((eventId) => !erasedIds.has(eventId));
    const events = await eventStore.listEffectiveOfAlert(tx, tenantId, { alertId, eventIds });
    await alertStore.saveMany(tx, tenantId, [withoutErased({ ...alert, eventIds }, events, nowMs)]);
  }
  await removeAlerts(removal, gone);
}

/** Deletes alerts of threats without events: retention may have removed the events before. */
export async function removeAlertsWithoutEvents(removal: Removal, rows: readonly Row[]): Promise<void> {
  const { tx, tenantId } = removal;
  const gone: string[] = [];
  for (const threatId of new Set(rows.map((row) => String(row.threat_id)))) {
    const events = await eventStore.listEffectiveOfThreat(tx, tenantId, threatId);
    if (events.length > 0) continue;
    gone.push(...rows.filter((row) => row.threat_id === threatId).map((row) => String(row.alert_id)));
  }
  await removeAlerts(removal, gone);
}

async function removeAlerts(removal: Removal, alertIds: readonly string[]): Promise<void> {
  const { tx, tenantId, removed } = removal;
  const alerts = { table: 'alerts', column: 'alert_id', values: alertIds } as const;
  removed.add('alerts', await deleteWhere(tx, tenantId, alerts));
  await removeMembers(removal, { kind: 'alert', ids: alertIds });
}

function withoutErased(alert: AlertRecord, events: readonly FeedEvent[], nowMs: number): AlertRecord {
  if (events.length === 0) return { ...alert, status: 'resolved', updatedAtMs: nowMs };
  const severity = events.map((event) => event.severity).reduce(maxSeverity);
  return { ...alert, severity, updatedAtMs: nowMs };
}

/** Removes deleted alerts and threats from incidents, with the jobs about them and the incidents that have no other. */
async function removeMembers(
  removal: Removal,
  { kind, ids }: { kind: 'alert' | 'threat'; ids: readonly string[] },
): Promise<void> {
  const { tx, tenantId, removed } = removal;
  const members = { table: 'incident_members', column: 'member_id', values: ids, also: { kind } } as const;
  const incidentIds = await listValues(tx, tenantId, { ...members, select: 'incident_id' });
  removed.add('incident_members', await deleteWhere(tx, tenantId, members));
  const left = { table: 'incident_members', select: 'incident_id', column: 'incident_id' } as const;
  const filled = new Set<string>();
  for (const member of ['alert', 'threat']) {
    const also = { kind: member };
    for (const id of await listValues(tx, tenantId, { ...left, values: incidentIds, also })) filled.add(id);
  }
  await removeJobsAbout(removal, ids);
  await removeIncidents(
    removal,
    incidentIds.filter((id) => !filled.has(id)),
  );
}

/** Deletes incidents with their members and timeline, the notices and the jobs about them. */
export async function removeIncidents(removal: Removal, incidentIds: readonly string[]): Promise<void> {
  const { tx, tenantId, removed } = removal;
  for (const table of ['incident_timeline', 'incident_members', 'incidents'] as const) {
    removed.add(
      table,
      await deleteWhere(tx, tenantId, { table, column: 'incident_id', values: incidentIds }),
    );
  }
  await removeNoticesAbout(removal, incidentIds);
  await removeJobsAbout(removal, incidentIds);
}

/** Deletes the notices about incidents, sent or not, and the digests that repeat them. */
async function removeNoticesAbout({ tx, tenantId, removed }: Removal, incidentIds: readonly string[]) {
  const about = { table: 'notices', column: 'resource_id', values: incidentIds } as const;
  const values = await listValues(tx, tenantId, { ...about, select: 'digest_id' });
  const digests = { table: 'notices', column: 'notice_id', values } as const;
  for (const notices of [about, digests]) removed.add('notices', await deleteWhere(tx, tenantId, notices));
}

/** Deletes the jobs that had one of these objects as an input in any run. */
export async function removeJobsAbout(removal: Removal, inputRefs: readonly string[]): Promise<void> {
  const { tx, tenantId } = removal;
  const inputs = { table: 'job_inputs', select: 'job_id', column: 'input_ref', values: inputRefs } as const;
  await removeJobs(removal, await listValues(tx, tenantId, inputs));
}

/** Deletes jobs with all their runs. A running step finds its job gone and writes nothing. */
export async function removeJobs(removal: Removal, jobIds: readonly string[]): Promise<void> {
  const { tx, tenantId, removed } = removal;
  for (const table of ['artifacts', 'trace_steps', 'traces', 'job_inputs', 'jobs'] as const)
    removed.add(table, await deleteWhere(tx, tenantId, { table, column: 'job_id', values: jobIds }));
}
