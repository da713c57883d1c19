import type { Severity } from '@tps/contract';
import { SEVERITIES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { brokenChainMessage, campaignMessage, deviceMessage, openedMessage } from '../../events/index.ts';
import { type FeedEvent, indicatorKeyOf } from '../../feed/index.ts';
import { isUnresolved, MONITORING, openIncident } from '../../incidents/index.ts';
import { type DerivedKind, problemsOf, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import { type IncidentHistory, isEntryOf, toHistory } from './incident-history.ts';
import * as incidentReadModel from './incident-read-model.ts';
import type { Removals } from './recorded-removals.ts';
import { pagesOf, rowsWith } from './rows-read-model.ts';
import { group, toEvent } from './verify-derived.ts';
import { findIncidents, isBeingPurged } from './verify-members.ts';

type Incident = Row<'incidents'>;
type Entry = Row<'incident_timeline'>;

/** What an incident is compared with. */
interface Basis {
  readonly history: IncidentHistory;
  readonly timeline: readonly Entry[];
  readonly joined: incidentReadModel.JoinedEvents;
  /** The event that opened it, if it is still stored. */
  readonly opening: FeedEvent | undefined;
  /** Whether its alert and its threat, as far as they are stored, are members. */
  readonly hasOpening: boolean;
  /** Whether the device that it is about is a member. */
  readonly hasDevice: boolean;
  readonly removals: Removals;
  /** Whether all events since the incident was opened are stored. */
  readonly hasEvents: boolean;
}

/** What `[erased]` replaced is not compared. */
const ERASED = '[erased]';
const OPENED = new RegExp(`^${openedMessage({ eventId: '(\\S+)' })}$`);

/** Compares each incident with its events, its timeline and the audit entries of its changes. */
export function verifyIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Incident> = {
    isWhole: true,
    idOf: (incident) => incident.incident_id,
    find: async (ids) => [...(await findIncidents(queries, tenantId, ids)).values()],
    async compare(incidents) {
      const basisOf = await readBasis(queries, tenantId, { incidents, removals });
      return problemsOf(incidents, (incident) => {
        const what = whatDiffers(incident, basisOf(incident));
        const { incident_id: id } = incident;
        return [id, what && `${what} of incident ${id} does not follow from its events and changes`];
      });
    },
  };
  const pages = pagesOf(queries, 'incidents', { tenantId, key: ['incident_id'] });
  return verifyKind(queries, tenantId, { kind, pages });
}

async function readBasis(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidents, removals }: { incidents: readonly Incident[]; removals: Removals },
): Promise<(incident: Incident) => Basis> {
  const ids = incidents.map((incident) => incident.incident_id);
  const changes = group(
    await incidentReadModel.listChanges(queries, tenantId, ids),
    (entry) => entry.resource_id,
  );
  const entries = group(
    await rowsWith(queries, 'incident_timeline', { tenantId, column: 'incident_id', values: ids }),
    (entry) => entry.incident_id,
  );
  const joinedOf = await incidentReadModel.sumUpEvents(queries, tenantId, ids);
  const openingIds = [...entries.values()].flat().flatMap((entry) => openingIdOf(entry) ?? []);
  const found = await derivedReadModel.listEvents(queries, tenantId, openingIds);
  const events = new Map(found.map((event) => [event.event_id, toEvent(tenantId, event)]));
  const openingLinks = found.flatMap((event) => [event.alert_id ?? '', event.threat_id ?? '']);
  const members = await rowsWith(queries, 'incident_members', {
    tenantId,
    column: 'member_id',
    values: [...openingLinks, ...incidents.map((incident) => incident.correlation_key)],
  });
  const memberKeys = new Set(members.map((member) => `${member.incident_id} ${member.member_id}`));
  const stored = new Set([
    ...(await derivedReadModel.findAlerts(queries, tenantId, openingLinks)).map((row) => row.alert_id),
    ...(await derivedReadModel.findThreats(queries, tenantId, openingLinks)).map((row) => row.threat_id),
  ]);
  const linksOf = new Map(found.map((event) => [event.event_id, [event.alert_id, event.threat_id]]));
  const firstMs = await derivedReadModel.findFirstWhole(queries, tenantId);
  return (incident) => {
    const timeline = entries.get(incident.incident_id) ?? [];
    const openingId = timeline.map(openingIdOf).find((id) => id !== undefined);
    const links = linksOf.get(openingId ?? '') ?? [];
    return {
      timeline,
      hasDevice: memberKeys.has(`${incident.incident_id} ${incident.correlation_key}`),
      hasOpening: links.every(
        (id) => id === null || !stored.has(id) || memberKeys.has(`${incident.incident_id} ${id}`),
      ),
      removals,
      history: toHistory(changes.get(incident.incident_id) ?? []),
      joined: joinedOf(incident.incident_id),
      opening: openingId === undefined ? undefined : events.get(openingId),
      hasEvents: incident.created_at >= firstMs && timeOfId(incident.incident_id) >= removals.deletedBeforeMs,
    };
  };
}

function openingIdOf({ kind, message }: Entry): string | undefined {
  return kind === 'opened' ? OPENED.exec(message)?.[1] : undefined;
}

/** Returns the column that differs. */
function whatDiffers(incident: Incident, basis: Basis): string | undefined {
  if (incident.created_at !== timeOfId(incident.incident_id)) return 'created_at';
  if (lacksChange(incident, basis)) return 'the timeline';
  return (
    whatChangesDiffer(incident, basis) ??
    (isBeingPurged(incident, basis.removals) ? undefined : whatTimesDiffer(incident, basis)) ??
    (incident.category === MONITORING
      ? whatFindingDiffers(incident, basis)
      : whatOpeningDiffers(incident, basis))
  );
}

/** Whether the timeline lacks a change by a person. A deletion on request removes those that name its subject. */
function lacksChange(incident: Incident, { history, timeline, removals }: Basis): boolean {
  const isMissing = history.changes.some(
    (change) =>
      change.atMs >= removals.deletedBeforeMs && !timeline.some((entry) => isEntryOf(entry, change)),
  );
  return isMissing && !isBeingPurged(incident, removals);
}

/** Compares what people, and corrections, change with the audit log. */
function whatChangesDiffer(incident: Incident, { history, removals }: Basis): string | undefined {
  if (incident.version < history.version) return 'version';
  const isKnown = timeOfId(incident.incident_id) >= removals.knownSinceMs;
  const { status = isKnown ? 'open' : undefined } = history;
  if (status !== undefined && status !== incident.status) return 'status';
  const { resolution = isKnown ? null : undefined } = history;
  if (resolution !== undefined && resolution !== incident.resolution) return 'resolution';
  const { assignee = isKnown ? null : undefined } = history;
  const isShown = !incident.assignee?.includes(ERASED);
  if (isShown && assignee !== undefined && assignee !== incident.assignee) return 'assignee';
  const isSame = incident.tags === JSON.stringify(history.tags);
  return !isKnown || isSame || incident.tags.includes(ERASED) ? undefined : 'tags';
}

/** Compares times with those of the timeline, and of the events that joined. */
function whatTimesDiffer(incident: Incident, { timeline, joined, removals, hasEvents }: Basis) {
  const isAt = (atMs: number, wanted: (entry: Entry) => boolean = () => true) =>
    timeline.some((entry) => entry.at === atMs && wanted(entry));
  if (hasEvents && !joined.hasUpdate && !isAt(incident.updated_at)) return 'updated_at';
  // A deletion on request removes entries of people.
  if (timeOfId(incident.incident_id) < removals.deletedBeforeMs) return undefined;
  const taken = incident.acknowledged_at ?? null;
  if (taken !== null && !isAt(taken, (entry) => entry.actor !== 'service')) return 'acknowledged_at';
  const resolved = incident.resolved_at ?? null;
  if (resolved !== null && !isAt(resolved, isResolution)) return 'resolved_at';
  const first = incident.first_resolved_at ?? null;
  return first === null || isAt(first, isResolution) ? undefined : 'first_resolved_at';
}

function isResolution({ kind, message }: Entry): boolean {
  return kind !== 'opened' && /(?:^|\. )Status from \w+ to (?:resolved|closed)/.test(message);
}

/** An incident about the service itself repeats its last finding. */
function whatFindingDiffers(incident: Incident, { timeline, history, removals }: Basis): string | undefined {
  const findings = timeline.filter((entry) => entry.actor === 'service');
  if (findings.length === 0) return undefined;
  if (findings.every((entry) => entry.kind !== 'opened')) return 'the beginning of the timeline';
  // Findings of one moment have no order.
  const repeated = findings.filter(({ message }) => message === incident.message);
  if (repeated.length === 0) return 'message';
  const isKnown = timeOfId(incident.incident_id) >= removals.knownSinceMs;
  if (isKnown && incident.severity !== (history.severities.at(-1) ?? 'high')) return 'severity';
  return repeated.some(({ at }) => at === incident.last_event_at) ? undefined : 'last_event_at';
}

/** Recomputes what follows from the event that opened the incident. */
function whatOpeningDiffers(incident: Incident, basis: Basis): string | undefined {
  const { timeline, opening, hasOpening, hasDevice, joined, removals, hasEvents } = basis;
  if (isBeingPurged(incident, removals)) return undefined;
  if (timeline.every((entry) => entry.kind !== 'opened')) return 'the beginning of the timeline';
  if (!opening) return hasEvents ? 'the opening event' : undefined;
  const { category, correlation_key: correlationKey, message } = incident;
  const subject = {
    category: category as 'campaign',
    correlationKey,
    severity: incident.severity as Severity,
    message,
  };
  if (openIncident(opening, subject).incidentId !== incident.incident_id)
    return 'id, category or correlation_key';
  if (!message.includes(ERASED) && !isMessageOf(opening, incident)) return 'message';
  if (category !== 'device_integrity' && !hasOpening) return 'a member';
  if (!hasEvents) return undefined;
  if (category !== 'campaign' && !hasDevice) return 'the device';
  if (!joined.hasLast) return 'last_event_at';
  return isSeverityOf(incident, basis) ? undefined : 'severity';
}

function isMessageOf(opening: FeedEvent, { category, correlation_key: key, message }: Incident): boolean {
  if (category === 'device_integrity') return message === brokenChainMessage(opening);
  if (category !== 'campaign') return message === deviceMessage(opening);
  const indicator = opening.indicators.find((each) => indicatorKeyOf(each) === key);
  const [, devices] = /seen on (\d+) or more devices$/.exec(message) ?? [];
  return message === campaignMessage(indicator, Number(devices));
}

/** The severity is one of the events that joined, unless a person has set it: then it only rises. */
function isSeverityOf(incident: Incident, { history, joined, opening, removals }: Basis): boolean {
  if (timeOfId(incident.incident_id) < removals.knownSinceMs) return true;
  const rankOf = (severity: string) => SEVERITIES.indexOf(severity as Severity);
  const own = rankOf(incident.severity);
  const begun =
    incident.category === 'device_integrity' ? rankOf('high') : rankOf(opening?.severity ?? 'low');
  const set = history.severities.map(rankOf);
  const last = set.at(-1);
  const mayMiss = history.wasEnded || !isUnresolved({ status: incident.status as 'open' });
  const least = last ?? (mayMiss ? begun : Math.max(begun, joined.certain));
  return own >= least && own <= Math.max(begun, joined.highest, ...set);
}
