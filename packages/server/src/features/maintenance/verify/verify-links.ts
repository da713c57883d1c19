import type { Severity } from '@tps/contract';
import { ALERT_EVENT_LIMIT } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { isAtLeast } from '../../feed/index.ts';
import { type DerivedKind, problemsOf, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import type { Removals } from './recorded-removals.ts';
import { rowsWith } from './rows-read-model.ts';
import { counts, eventIdsOf, group, toEvent } from './verify-derived.ts';

type LinkedEvent = derivedReadModel.LinkedEvent;

/** What the events of a page refer to. */
interface Relations {
  readonly threats: ReadonlyMap<string, Row<'threats'>>;
  readonly alerts: ReadonlyMap<string, Row<'alerts'>>;
  /** The incidents that have an alert as a member, by alert. */
  readonly incidentsOf: ReadonlyMap<string, readonly string[]>;
  /** Members of these incidents, as `<incident> <kind> <id>`. */
  readonly members: ReadonlySet<string>;
  /** The times at which events arrived that were erased on request. */
  readonly erasedAtMs: ReadonlySet<number>;
  readonly sightings: ReadonlySet<string>;
  /** Incidents about broken event chains, by device. */
  readonly chains: ReadonlyMap<string, readonly Row<'incidents'>[]>;
}

/** Checks that each event has the threat, the alert, the incident and the sightings that were derived from it. */
export function verifyLinks(queries: ReadQueries, tenantId: TenantId, removals: Removals): Promise<Findings> {
  const kind: DerivedKind<LinkedEvent> = {
    isWhole: true,
    idOf: (event) => event.event_id,
    find: (ids) => derivedReadModel.listEvents(queries, tenantId, ids),
    async compare(events) {
      const derived = await readRelations(queries, tenantId, { events, removals });
      return problemsOf(events, (event) => [
        event.event_id,
        whyUnlinked(event, { tenantId, derived, removals }),
      ]);
    },
  };
  return verifyKind(queries, tenantId, { kind, pages: derivedReadModel.pagesOfEvents(queries, tenantId) });
}

async function readRelations(
  queries: ReadQueries,
  tenantId: TenantId,
  { events, removals }: { events: readonly LinkedEvent[]; removals: Removals },
): Promise<Relations> {
  const threatIds = events.flatMap((event) => event.threat_id ?? []);
  const alertIds = events.flatMap((event) => event.alert_id ?? []);
  const threats = await derivedReadModel.findThreats(queries, tenantId, threatIds);
  const alerts = await derivedReadModel.findAlerts(queries, tenantId, alertIds);
  const withAlerts = await rowsWith(queries, 'incident_members', {
    tenantId,
    column: 'member_id',
    values: alertIds,
  });
  const incidentIds = new Set(withAlerts.map((member) => member.incident_id));
  const concerned = await rowsWith(queries, 'incident_members', {
    tenantId,
    column: 'member_id',
    values: [...alertIds, ...threatIds, ...events.map((event) => event.device_id)],
  });
  const keys = events.flatMap((event) => keysOf(tenantId, event));
  const seen = await rowsWith(queries, 'sightings', { tenantId, column: 'correlation_key', values: keys });
  const broken = events.filter(isBroken).map((event) => event.device_id);
  const about = await rowsWith(queries, 'incidents', { tenantId, column: 'correlation_key', values: broken });
  const known = new Set([...threats.map((row) => row.threat_id), ...alerts.map((row) => row.alert_id)]);
  const missing = [...threatIds, ...alertIds].filter((id) => removals.mayBeErased && !known.has(id));
  return {
    threats: new Map(threats.map((row) => [row.threat_id, row])),
    alerts: new Map(alerts.map((row) => [row.alert_id, row])),
    incidentsOf: toIncidentIds(withAlerts),
    members: new Set(concerned.filter((one) => incidentIds.has(one.incident_id)).map(keyOfMember)),
    erasedAtMs: new Set(await derivedReadModel.findErasedAt(queries, tenantId, missing.map(timeOfId))),
    sightings: new Set(seen.map(keyOfSighting)),
    chains: group(
      about.filter((incident) => incident.category === 'device_integrity'),
      (incident) => incident.correlation_key,
    ),
  };
}

function toIncidentIds(members: readonly Row<'incident_members'>[]): Map<string, string[]> {
  const byAlert = group(members, (member) => member.member_id);
  return new Map([...byAlert].map(([id, own]) => [id, own.map((member) => member.incident_id)]));
}

export function keyOfMember(member: Omit<Row<'incident_members'>, 'tenant_id'>): string {
  return `${member.incident_id} ${member.kind} ${member.member_id}`;
}

function keyOfSighting(row: Omit<Row<'sightings'>, 'tenant_id' | 'threat_id' | 'last_seen_at'>) {
  return `${row.correlation_key} ${row.device_id} ${row.threat_category}`;
}

function keysOf(tenantId: TenantId, event: LinkedEvent): readonly string[] {
  return event.threat_id === null ? [] : toEvent(tenantId, event).correlationKeys;
}

interface LinkParts {
  readonly tenantId: TenantId;
  readonly derived: Relations;
  readonly removals: Removals;
}

function whyUnlinked(event: LinkedEvent, parts: LinkParts): string | undefined {
  return (
    whyThreatIsMissing(event, parts) ??
    whyAlertIsMissing(event, parts) ??
    whyNotInIncident(event, parts) ??
    whyChainIsUnnoticed(event, parts) ??
    whyUnseen(event, parts)
  );
}

function whyThreatIsMissing(event: LinkedEvent, { derived, removals }: LinkParts): string | undefined {
  if (event.threat_id === null) return undefined;
  const threat = derived.threats.get(event.threat_id);
  if (threat) return whyAboutOther(event, threat, `threat ${event.threat_id}`);
  // A deletion on request keeps no threat without an event that counts.
  const isSettled = !counts(event) && timeOfId(event.threat_id) < removals.deletedBeforeMs;
  if (isSettled || isGone(event, event.threat_id, { derived, removals })) return undefined;
  return `threat ${event.threat_id} of event ${event.position} is missing`;
}

function whyAlertIsMissing(event: LinkedEvent, { derived, removals }: LinkParts): string | undefined {
  if (event.alert_id === null) return undefined;
  const alert = derived.alerts.get(event.alert_id);
  if (!alert) {
    if (isGone(event, event.alert_id, { derived, removals })) return undefined;
    return `alert ${event.alert_id} of event ${event.position} is missing`;
  }
  const named = eventIdsOf(alert);
  // An alert that was full may have lost events since.
  const isFull = named.length >= ALERT_EVENT_LIMIT || alert.created_at < removals.deletedBeforeMs;
  if (!isFull && !named.includes(event.event_id))
    return `alert ${event.alert_id} does not name event ${event.position}, which joined it`;
  return whyAboutOther(event, alert, `alert ${event.alert_id}`);
}

/** Whether retention or a deletion on request removed what an event that is still there was derived to. */
function isGone(
  event: LinkedEvent,
  id: string,
  { derived, removals }: Pick<LinkParts, 'derived' | 'removals'>,
): boolean {
  return event.received_at < removals.purgedBeforeMs || derived.erasedAtMs.has(timeOfId(id));
}

function whyAboutOther(
  event: LinkedEvent,
  row: Pick<Row<'alerts'>, 'device_id' | 'threat_category'>,
  name: string,
): string | undefined {
  if (row.device_id === event.device_id && row.threat_category === event.threat_category) return undefined;
  return `${name} has another device or category than event ${event.position}`;
}

/** An event of high severity puts its alert and its threat into an incident. */
function whyNotInIncident(event: LinkedEvent, { derived, removals }: LinkParts): string | undefined {
  const alert = derived.alerts.get(event.alert_id ?? '');
  if (!alert || !isAtLeast(event.severity as Severity, 'high') || event.received_at < removals.purgedBeforeMs)
    return undefined;
  if (alert.incident_id === null)
    return `alert ${alert.alert_id} has no incident, although event ${event.position} has severity ${event.severity}`;
  const incidentIds = derived.incidentsOf.get(alert.alert_id) ?? [];
  const hasMember = (kind: string, member_id: string) =>
    incidentIds.some((incident_id) => derived.members.has(keyOfMember({ incident_id, kind, member_id })));
  const { threat_id: threatId, device_id: deviceId } = event;
  if (threatId !== null && derived.threats.has(threatId) && !hasMember('threat', threatId))
    return `threat ${threatId} of event ${event.position} is missing in the incident of alert ${alert.alert_id}`;
  const mayBeDeleted = alert.created_at < removals.deletedBeforeMs;
  if (!mayBeDeleted && !hasMember('device', deviceId))
    return `device ${deviceId} is missing in the incident of alert ${alert.alert_id}`;
  return undefined;
}

function whyChainIsUnnoticed(event: LinkedEvent, { derived, removals }: LinkParts): string | undefined {
  if (!isBroken(event) || event.received_at < removals.purgedBeforeMs) return undefined;
  const incidents = derived.chains.get(event.device_id) ?? [];
  if (incidents.some((incident) => incident.created_at <= event.received_at)) return undefined;
  return `the incident about the broken event chain at event ${event.position} is missing`;
}

function isBroken({ device_chain: state }: LinkedEvent): boolean {
  return state === 'gap' || state === 'fork';
}

function whyUnseen(event: LinkedEvent, { tenantId, derived, removals }: LinkParts): string | undefined {
  const { received_at: atMs, threat_category, device_id } = event;
  // A deletion on request removes the sightings of a threat: the next event records them again.
  if (!counts(event) || atMs < removals.purgedBeforeMs || atMs < removals.deletedBeforeMs) return undefined;
  const missing = keysOf(tenantId, event).find(
    (correlation_key) =>
      !derived.sightings.has(keyOfSighting({ correlation_key, device_id, threat_category })),
  );
  if (missing === undefined) return undefined;
  return `the sighting ${missing} of event ${event.position} is missing`;
}
