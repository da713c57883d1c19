import { type AlertRecord, alertStore } from '../alerts/index.ts';
import { eventStore, type FeedEvent, indicatorKeyOf, maxSeverity } from '../feed/index.ts';
import { recomputeThreat, threatStore } from '../threats/index.ts';
import { listWithoutMembers } from './emptied-incident-read-model.ts';
import type { RecordSource } from './record-source.ts';
import type { Removal } from './removal.ts';
import { deleteRows, deleteWhere, keyOf, listValues, type Row } from './subject-rows-store.ts';

/** Counts threats again from the events that are left and count, and deletes those without any. */
export async function settleThreats(removal: Removal, threatIds: readonly string[]): Promise<void> {
  const { tx, tenantId } = removal;
  const gone: string[] = [];
  for (const threat of await threatStore.findMany(tx, tenantId, [...new Set(threatIds)])) {
    const events = await eventStore.listEffectiveOfThreat(tx, tenantId, threat.threatId);
    if (events.length > 0) await threatStore.saveMany(tx, tenantId, [recomputeThreat(threat, events)]);
    else {
      gone.push(threat.threatId);
      const keys = threat.indicators.map(indicatorKeyOf);
      const also = { device_id: threat.deviceId, threat_id: threat.threatId };
      const sightings = { table: 'sightings', column: 'correlation_key', values: keys, also } as const;
      removal.add('sightings', await deleteWhere(tx, tenantId, sightings));
    }
  }
  const threats = { table: 'threats', column: 'threat_id', values: gone } as const;
  removal.add('threats', await deleteWhere(tx, tenantId, threats));
  await leaveIncidents(removal, { kind: 'threat', ids: gone });
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
  const { tx, tenantId } = removal;
  const alerts = { table: 'alerts', column: 'alert_id', values: alertIds } as const;
  removal.add('alerts', await deleteWhere(tx, tenantId, alerts));
  await leaveIncidents(removal, { kind: 'alert', ids: alertIds });
}

function withoutErased(alert: AlertRecord, events: readonly FeedEvent[], nowMs: number): AlertRecord {
  if (events.length === 0) return { ...alert, status: 'resolved', updatedAtMs: nowMs };
  const severity = events.map((event) => event.severity).reduce(maxSeverity);
  return { ...alert, severity, updatedAtMs: nowMs };
}

/** Removes deleted alerts and threats from incidents. Incidents that have no other go. */
async function leaveIncidents(
  removal: Removal,
  { kind, ids }: { kind: 'alert' | 'threat'; ids: readonly string[] },
): Promise<void> {
  const { tx, tenantId } = removal;
  const members = { table: 'incident_members', column: 'member_id', values: ids, also: { kind } } as const;
  const incidentIds = await listValues(tx, tenantId, { ...members, select: 'incident_id' });
  removal.add('incident_members', await deleteWhere(tx, tenantId, members));
  removal.leaveInputs(ids);
  const kinds = ['alert', 'threat'];
  await removeIncidents(removal, await listWithoutMembers(tx, tenantId, { incidentIds, kinds }));
}

/** Removes a device from incidents. Those that have no other member go. */
export async function removeMembers(
  removal: Removal,
  { source, rows }: { source: RecordSource; rows: readonly Row[] },
): Promise<void> {
  const { tx, tenantId } = removal;
  const keys = rows.map((row) => keyOf(source, row));
  removal.add(source.table, await deleteRows(tx, tenantId, { source, keys }));
  const incidentIds = rows.map((row) => String(row.incident_id));
  const kinds = ['alert', 'threat', 'device'];
  await removeIncidents(removal, await listWithoutMembers(tx, tenantId, { incidentIds, kinds }));
}

/** Deletes incidents. What refers to them follows. */
export async function removeIncidents(removal: Removal, incidentIds: readonly string[]): Promise<void> {
  const { tx, tenantId } = removal;
  const incidents = { table: 'incidents', column: 'incident_id', values: incidentIds } as const;
  removal.add('incidents', await deleteWhere(tx, tenantId, incidents));
  removal.leaveIncidents(incidentIds);
}
