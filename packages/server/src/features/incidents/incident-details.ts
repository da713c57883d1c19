import type { Incident, TimelineEntry } from '@tps/contract';
import { INCIDENT_LIST_LIMIT } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import { timeOfId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import {
  type IncidentMember,
  type IncidentRecord,
  type MemberKind,
  type TimelineRecord,
  toIncident,
} from './incident.ts';
import { listMembers, listTimeline } from './incident-details-store.ts';

/** Adds members and timeline to incidents, in two reads for any number of them. */
export async function describeIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  incidents: readonly IncidentRecord[],
): Promise<Incident[]> {
  if (incidents.length === 0) return [];
  const incidentIds = incidents.map((incident) => incident.incidentId);
  const members = await listMembers(queries, tenantId, incidentIds);
  const timeline = await listTimeline(queries, tenantId, incidentIds);
  const membersOf = groupByIncident(members);
  const timelineOf = groupByIncident(timeline);
  return incidents.map((incident) => {
    const own = membersOf.get(incident.incidentId) ?? [];
    const entries = timelineOf.get(incident.incidentId) ?? [];
    const alertIds = idsOf(own, 'alert');
    return toIncident(incident, tenantId, {
      deviceIds: idsOf(own, 'device'),
      alertIds,
      threatIds: idsOf(own, 'threat'),
      timeline: toTimeline(entries, alertIds),
    });
  });
}

function groupByIncident<Row extends { readonly incidentId: string }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.incidentId);
    if (group) group.push(row);
    else groups.set(row.incidentId, [row]);
  }
  return groups;
}

function idsOf(members: readonly IncidentMember[], kind: MemberKind): string[] {
  return members.filter((member) => member.kind === kind).map((member) => member.memberId);
}

/** Adds the alerts that joined, whose times are in their ids: storing an entry for each would add nothing. */
function toTimeline(stored: readonly TimelineRecord[], alertIds: readonly string[]): TimelineEntry[] {
  const joined = alertIds.map((alertId) => ({
    atMs: timeOfId(alertId),
    kind: 'alert_joined' as const,
    actor: 'service',
    message: `Alert ${alertId} joined`,
  }));
  return [...stored, ...joined]
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-INCIDENT_LIST_LIMIT)
    .map(({ atMs, kind, actor, message }) => ({ at: toTimestamp(atMs), kind, actor, message }));
}
