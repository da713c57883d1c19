import type { ScanResult } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { scanStore } from '../../scan/index.ts';
import { type ThreatRecord, threatStore } from '../../threats/index.ts';
import { type Cut, MAX_MEMBERS } from './case-file.ts';
import type { EventRow } from './case-read-model.ts';
import * as caseReadModel from './case-read-model.ts';
import { type EventFacts, readEvents } from './read-events.ts';

/** Maximum number of incidents in one case: each gets a proposal, and one transaction applies them all. */
const MAX_INCIDENTS = 50;
const EVENT_ID = /\bevt_[A-Za-z0-9_-]{1,64}/g;

type AlertRow = Awaited<ReturnType<typeof caseReadModel.findAlerts>>[number];
type DeviceRow = Awaited<ReturnType<typeof caseReadModel.findDevices>>[number];

/** The rows found through the references, in no particular order. */
export interface InputFacts {
  readonly incidents: readonly caseReadModel.IncidentRow[];
  readonly members: readonly { incidentId: string; memberId: string }[];
  readonly alerts: readonly AlertRow[];
  readonly threats: readonly ThreatRecord[];
  readonly events: readonly EventFacts[];
  readonly devices: readonly DeviceRow[];
  readonly scans: readonly ScanResult[];
  readonly cuts: readonly Cut[];
}

interface Search {
  readonly queries: ReadQueries;
  readonly tenantId: TenantId;
  readonly cuts: Cut[];
}

/** The records that the references name directly. */
interface NamedRecords {
  readonly incidentIds: readonly string[];
  readonly alerts: readonly AlertRow[];
  readonly threatIds: readonly string[];
  readonly events: readonly EventRow[];
}

/** Follows the references to everything that belongs to the case. */
export async function gatherInputs(
  queries: ReadQueries,
  tenantId: TenantId,
  refs: readonly string[],
): Promise<InputFacts> {
  const search: Search = { queries, tenantId, cuts: [] };
  const ofKind = (prefix: string) => refs.filter((ref) => ref.startsWith(`${prefix}_`));
  const named: NamedRecords = {
    incidentIds: ofKind('inc'),
    alerts: await caseReadModel.findAlerts(queries, tenantId, ofKind('alr')),
    threatIds: ofKind('thr'),
    events: await withRoots(search, await caseReadModel.findEvents(queries, tenantId, ofKind('evt'))),
  };
  const incidentIds = await findIncidentIds(search, named);
  const incidents = await caseReadModel.findIncidents(queries, tenantId, incidentIds);
  const members = {
    alert: await listMembers(search, 'alert', incidentIds),
    threat: await listMembers(search, 'threat', incidentIds),
    device: await listMembers(search, 'device', incidentIds),
  };
  const alerts = mergeBy('alert_id', named.alerts, [
    ...(await caseReadModel.findAlerts(queries, tenantId, idsOf(members.alert))),
  ]);
  const threatIds = [
    ...new Set([
      ...named.threatIds,
      ...idsOf(members.threat),
      ...alerts.map((alert) => alert.threat_id),
      ...named.events.flatMap((event) => event.threat_id ?? []),
    ]),
  ];
  const threats = await threatStore.findMany(queries, tenantId, keepNewest(search, 'threats', threatIds));
  const openings = await caseReadModel.listOpenings(queries, tenantId, incidentIds);
  const events = await gatherEvents(search, { named, alerts, threatIds, openings });
  const deviceIds = [
    ...new Set([
      ...idsOf(members.device),
      ...events.map((event) => event.device_id),
      ...alerts.map((alert) => alert.device_id),
      ...threats.map((threat) => threat.deviceId),
    ]),
  ];
  return {
    incidents,
    members: [...members.threat, ...members.device],
    alerts,
    threats,
    events: await readEvents(queries, tenantId, events),
    devices: await caseReadModel.findDevices(queries, tenantId, keepNewest(search, 'devices', deviceIds)),
    scans: await scanStore.findMany(queries, tenantId, ofKind('scn')),
    cuts: search.cuts,
  };
}

/** If the references name incidents, those are the case. Otherwise finds the incidents that the references belong to. */
async function findIncidentIds(search: Search, named: NamedRecords): Promise<string[]> {
  if (named.incidentIds.length > 0) return [...named.incidentIds];
  const { queries, tenantId } = search;
  const ofThreats = await caseReadModel.listNewestOfThreats(queries, tenantId, {
    threatIds: named.threatIds,
    limit: MAX_MEMBERS,
  });
  const alertIds = new Set([...named.events, ...ofThreats].flatMap((event) => event.alert_id ?? []));
  const alerts = await caseReadModel.findAlerts(queries, tenantId, [...alertIds]);
  const found = [...new Set([...named.alerts, ...alerts].flatMap((alert) => alert.incident_id ?? []))];
  return keepNewest(search, 'incidents', found, MAX_INCIDENTS);
}

async function listMembers(search: Search, kind: 'alert' | 'threat' | 'device', incidentIds: string[]) {
  const { queries, tenantId, cuts } = search;
  const found = await caseReadModel.listMembers(queries, tenantId, { incidentIds, kind, limit: MAX_MEMBERS });
  if (found.total > found.members.length)
    cuts.push({ what: `${kind}s of the incidents`, kept: found.members.length, of: found.total });
  return found.members;
}

/** Reads the newest events of the alerts and threats, the events that opened the incidents, and their corrections. */
async function gatherEvents(
  search: Search,
  from: {
    named: NamedRecords;
    alerts: readonly AlertRow[];
    threatIds: readonly string[];
    openings: readonly string[];
  },
): Promise<EventRow[]> {
  const { queries, tenantId, cuts } = search;
  const named = new Set(from.named.events.map((event) => event.event_id));
  const opening = new Set(from.openings.flatMap((message) => message.match(EVENT_ID) ?? []));
  const alerting = new Set<string>();
  for (const alert of [...from.alerts].sort((a, b) => (a.alert_id < b.alert_id ? 1 : -1)))
    for (const eventId of (JSON.parse(alert.event_ids) as string[]).reverse()) alerting.add(eventId);
  if (alerting.size > MAX_MEMBERS)
    cuts.push({ what: 'events of the alerts', kept: MAX_MEMBERS, of: alerting.size });

  const wanted = new Set([...named, ...opening, ...[...alerting].slice(0, MAX_MEMBERS)]);
  const found = await caseReadModel.findEvents(queries, tenantId, [...wanted]);
  const { threatIds } = from;
  const ofThreats = await caseReadModel.listNewestOfThreats(queries, tenantId, {
    threatIds,
    limit: MAX_MEMBERS + 1,
  });
  if (ofThreats.length > MAX_MEMBERS)
    cuts.push({ what: 'events of the threats', kept: MAX_MEMBERS, of: ofThreats.length });
  const events = await withRoots(search, mergeBy('event_id', found, ofThreats.slice(0, MAX_MEMBERS)));
  const rootIds = events.map((event) => event.corrects_event_id ?? event.event_id);
  const corrections = await caseReadModel.findCorrections(queries, tenantId, [...new Set(rootIds)]);
  return mergeBy('event_id', events, corrections);
}

/** Adds the events that these correct. */
async function withRoots({ queries, tenantId }: Search, events: EventRow[]): Promise<EventRow[]> {
  const known = new Set(events.map((event) => event.event_id));
  const missing = events.flatMap(({ corrects_event_id: rootId }) =>
    rootId === null || known.has(rootId) ? [] : [rootId],
  );
  if (missing.length === 0) return events;
  return mergeBy(
    'event_id',
    events,
    await caseReadModel.findEvents(queries, tenantId, [...new Set(missing)]),
  );
}

/** Ids that the service creates sort by time: the greatest are the newest. */
function keepNewest(search: Search, what: string, ids: readonly string[], limit = MAX_MEMBERS): string[] {
  if (ids.length <= limit) return [...ids];
  search.cuts.push({ what, kept: limit, of: ids.length });
  return [...ids].sort().slice(-limit);
}

function idsOf(members: readonly { memberId: string }[]): string[] {
  return [...new Set(members.map(({ memberId }) => memberId))];
}

function mergeBy<Key extends string, Row extends Record<Key, string>>(
  key: Key,
  ...lists: (readonly Row[])[]
): Row[] {
  return [...new Map(lists.flat().map((row) => [row[key], row])).values()];
}
