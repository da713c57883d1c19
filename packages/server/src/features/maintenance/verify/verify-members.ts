import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { isUnresolved, MONITORING } from '../../incidents/index.ts';
import { type DerivedKind, problemsOf, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import * as incidentReadModel from './incident-read-model.ts';
import type { Removals } from './recorded-removals.ts';
import { pagesOf, rowsWith } from './rows-read-model.ts';
import { keyOfMember } from './verify-links.ts';

type Member = Row<'incident_members'>;
type Incident = Row<'incidents'>;

/** Checks that each alert belongs to its incident, with its device and its threat. */
export function verifyMembership(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Row<'alerts'>> = {
    isWhole: true,
    idOf: (alert) => alert.alert_id,
    find: (ids) => derivedReadModel.findAlerts(queries, tenantId, ids),
    async compare(all) {
      const alerts = all.filter((alert) => alert.incident_id !== null);
      const incidents = await findIncidents(
        queries,
        tenantId,
        alerts.map((alert) => alert.incident_id ?? ''),
      );
      const threatIds = alerts.map((alert) => alert.threat_id);
      const threats = await derivedReadModel.findThreats(queries, tenantId, threatIds);
      const ids = alerts.flatMap((alert) => [alert.alert_id, alert.threat_id, alert.device_id]);
      const members = await rowsWith(queries, 'incident_members', {
        tenantId,
        column: 'member_id',
        values: ids,
      });
      const known = {
        incidents,
        threats: new Set(threats.map((threat) => threat.threat_id)),
        members: new Set(members.map(keyOfMember)),
      };
      return problemsOf(alerts, (alert) => [alert.alert_id, whyOutside(alert, { ...known, removals })]);
    },
  };
  const pages = pagesOf(queries, 'alerts', { tenantId, key: ['alert_id'] });
  return verifyKind(queries, tenantId, { kind, pages });
}

function whyOutside(
  alert: Row<'alerts'>,
  parts: {
    incidents: ReadonlyMap<string, Incident>;
    threats: ReadonlySet<string>;
    members: ReadonlySet<string>;
    removals: Removals;
  },
): string | undefined {
  const { incidents, threats, members, removals } = parts;
  const incidentId = alert.incident_id ?? '';
  const name = `incident ${incidentId} of alert ${alert.alert_id}`;
  const incident = incidents.get(incidentId);
  const mayBeDeleted = removals.deletedDevices > 0 && timeOfId(incidentId) < removals.deletedBeforeMs;
  if (!incident)
    return mayBeDeleted || timeOfId(incidentId) < removals.purgedBeforeMs ? undefined : `${name} is missing`;
  if (!isAbout(incident, alert)) return `${name} has another category or device`;
  const has = (kind: string, member_id: string) =>
    members.has(keyOfMember({ incident_id: incidentId, kind, member_id }));
  if (isBeingPurged(incident, removals)) return undefined;
  if (!has('alert', alert.alert_id)) return `${name} does not have it as a member`;
  if (threats.has(alert.threat_id) && !has('threat', alert.threat_id))
    return `${name} does not have its threat ${alert.threat_id} as a member`;
  if (!mayBeDeleted && !has('device', alert.device_id))
    return `${name} does not have its device ${alert.device_id} as a member`;
  return undefined;
}

/** Checks that each member belongs to an incident and exists. */
export function verifyMembers(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Member> = {
    isWhole: true,
    idOf: keyOfMember,
    find: async (keys) => {
      const found = await rowsWith(queries, 'incident_members', {
        tenantId,
        column: 'incident_id',
        values: keys.map((key) => key.split(' ')[0] ?? ''),
      });
      return found.filter((member) => keys.includes(keyOfMember(member)));
    },
    async compare(members) {
      const idsOf = (wanted: string) =>
        members.filter((member) => member.kind === wanted).map((member) => member.member_id);
      const incidents = await findIncidents(
        queries,
        tenantId,
        members.map((member) => member.incident_id),
      );
      const alerts = await derivedReadModel.findAlerts(queries, tenantId, idsOf('alert'));
      const threats = await derivedReadModel.findThreats(queries, tenantId, idsOf('threat'));
      const devices = await incidentReadModel.listDevices(queries, tenantId, [...incidents.keys()]);
      const known = {
        incidents,
        devices,
        rows: {
          alert: new Map(alerts.map((row) => [row.alert_id, row])),
          threat: new Map(threats.map((row) => [row.threat_id, row])),
        },
      };
      return problemsOf(members, (member) => [
        keyOfMember(member),
        whyForeign(member, { ...known, removals }),
      ]);
    },
  };
  const key = ['incident_id', 'kind', 'member_id'] as const;
  return verifyKind(queries, tenantId, {
    kind,
    pages: pagesOf(queries, 'incident_members', { tenantId, key }),
  });
}

type Subject = Pick<Row<'threats'>, 'device_id' | 'threat_category'>;

interface MemberParts {
  readonly incidents: ReadonlyMap<string, Incident>;
  /** As `<incident> <device>`: the devices that are members, and those of the threats that are. */
  readonly devices: Readonly<Record<'members' | 'ofThreats', ReadonlySet<string>>>;
  readonly rows: Readonly<Record<'alert' | 'threat', ReadonlyMap<string, Subject>>>;
  readonly removals: Removals;
}

function whyForeign(member: Member, parts: MemberParts): string | undefined {
  const { incident_id: incidentId, kind, member_id: memberId } = member;
  const incident = parts.incidents.get(incidentId);
  // After a deletion on request, members follow their incident in another transaction.
  if (!incident)
    return parts.removals.isDeleting
      ? undefined
      : `${kind} ${memberId} is a member of incident ${incidentId}, which is missing`;
  const why =
    kind === 'device'
      ? whyOtherDevice(member, incident, parts)
      : kind === 'alert' || kind === 'threat'
        ? whyOtherSubject({ ...member, kind }, incident, parts)
        : 'is of an unknown kind';
  return why && `${kind} ${memberId}, a member of incident ${incidentId}, ${why}`;
}

function whyOtherDevice(member: Member, incident: Incident, { devices, removals }: MemberParts) {
  const { incident_id: incidentId, member_id: deviceId } = member;
  if (isOfDevice(incident) && incident.correlation_key !== deviceId) return 'is another device';
  const isSeen = incident.category !== 'campaign' || devices.ofThreats.has(`${incidentId} ${deviceId}`);
  return isSeen || isSettled(incident, removals) ? undefined : 'has no threat in it';
}

function whyOtherSubject(
  member: Member & { kind: 'alert' | 'threat' },
  incident: Incident,
  { devices, rows, removals }: MemberParts,
) {
  const row = rows[member.kind].get(member.member_id);
  if (!row) return isBeingPurged(incident, removals) ? undefined : 'is missing';
  if (isOfDevice(incident) && !isAbout(incident, row)) return 'has another device or category';
  const hasDevice = devices.members.has(`${member.incident_id} ${row.device_id}`);
  return hasDevice || isSettled(incident, removals)
    ? undefined
    : `is there without its device ${row.device_id}`;
}

function isOfDevice({ category }: Incident): boolean {
  return category !== 'campaign' && category !== MONITORING;
}

/** Whether the service may have removed some of its members. */
function isSettled(incident: Incident, removals: Removals): boolean {
  return incident.created_at < removals.deletedBeforeMs || isBeingPurged(incident, removals);
}

function isAbout(incident: Incident, row: Subject): boolean {
  return row.device_id === incident.correlation_key && row.threat_category === incident.category;
}

/** Retention removes the timeline and the members of a large incident before the incident. */
export function isBeingPurged(incident: Incident, { purgedBeforeMs }: Removals): boolean {
  const { status, updated_at: updatedAt } = incident;
  return !isUnresolved({ status: status as 'open' }) && updatedAt < purgedBeforeMs;
}

export async function findIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentIds: readonly string[],
): Promise<Map<string, Incident>> {
  const rows = await rowsWith(queries, 'incidents', { tenantId, column: 'incident_id', values: incidentIds });
  return new Map(rows.map((row) => [row.incident_id, row]));
}
