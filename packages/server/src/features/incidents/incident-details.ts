import type { Incident, TimelineEntry } from '@tps/contract';
import { ID_PREFIXES, INCIDENT_LIST_LIMIT } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import { timeOfId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { readActorNames } from '../audit/index.ts';
import {
  type IncidentMember,
  type IncidentRecord,
  type MemberKind,
  type TimelineRecord,
  toIncident,
} from './incident.ts';
import { listMembers, listTimeline } from './incident-details-store.ts';

/** The account in a message of `describeChange`. Messages are stored without names, which can change and end. */
const ASSIGNED = new RegExp(`(?<=\\bAssigned to )${ID_PREFIXES.account}_[A-Za-z0-9_-]{1,64}`, 'g');

/** Adds members, timeline and names to incidents, in a few reads for any number of them. */
export async function describeIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  incidents: readonly IncidentRecord[],
): Promise<Incident[]> {
  if (incidents.length === 0) return [];
  const incidentIds = incidents.map((incident) => incident.incidentId);
  const members = await listMembers(queries, tenantId, incidentIds);
  const timeline = await listTimeline(queries, tenantId, incidentIds);
  const names = await readActorNames(queries, tenantId, [
    ...timeline.flatMap(({ actor, message }) => [actor, ...(message.match(ASSIGNED) ?? [])]),
    ...incidents.flatMap(({ assignee }) => assignee ?? []),
  ]);
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
      timeline: toTimeline(entries, { alertIds, names }),
      assigneeName: assigneeNameOf(incident, names),
    });
  });
}

/** The name of the member, or the text itself. An account that has left the tenant has no name. */
function assigneeNameOf({ assignee }: IncidentRecord, names: ReadonlyMap<string, string>): string | null {
  if (assignee === null) return null;
  return names.get(assignee) ?? (assignee.startsWith(`${ID_PREFIXES.account}_`) ? null : assignee);
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
function toTimeline(
  stored: readonly TimelineRecord[],
  { alertIds, names }: { alertIds: readonly string[]; names: ReadonlyMap<string, string> },
): TimelineEntry[] {
  const joined = alertIds.map((alertId) => ({
    atMs: timeOfId(alertId),
    kind: 'alert_joined' as const,
    actor: 'service',
    message: `Alert ${alertId} joined`,
    comment: null,
  }));
  return [...stored, ...joined]
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-INCIDENT_LIST_LIMIT)
    .map(({ atMs, kind, actor, message, comment = null }) => ({
      at: toTimestamp(atMs),
      kind,
      actor,
      actor_name: names.get(actor) ?? null,
      message: message.replace(ASSIGNED, (id) => names.get(id) ?? id),
      comment,
    }));
}
