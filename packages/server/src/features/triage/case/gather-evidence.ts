import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedStore } from '../../events/index.ts';
import { type EventRow, findingsOf, isHarmful } from './case-event.ts';
import type { CaseFile } from './case-file.ts';
import * as caseStore from './case-store.ts';
import * as evidenceStore from './evidence-store.ts';
import { countBy } from './order.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
export const HISTORY_DAYS = 7;
/** How far before the case the same indicators on other devices count. */
export const SIGHTING_DAYS = 30;

const MOST_DEVICES = 25;
const MOST_EVENTS_OF_DEVICE = 200;
const MOST_EVENTS = 2000;
const MOST_KEYS = 200;
const MOST_SIGHTINGS = 2000;
export const MOST_OTHER_DEVICES = 100;
const MOST_OTHER_EVENTS = 500;
const MOST_EARLIER = 100;
const NEWEST_FALSE = 50;
const MOST_FALSE_ALERTS = 500;
/** An event can claim to be this much ahead of its arrival. */
const CLOCK_AHEAD_MS = 5 * MINUTE_MS;

interface Pattern {
  readonly incidentId: string;
  readonly event: EventRow;
}

export interface EvidenceFacts {
  readonly histories: readonly {
    readonly deviceId: string;
    readonly rows: readonly EventRow[];
    readonly isCut: boolean;
  }[];
  readonly skippedDevices: number;
  readonly sightings: Awaited<ReturnType<typeof evidenceStore.listSightings>>;
  readonly isSightingsCut: boolean;
  /** The newest events of the threats that other devices have seen the indicators in. */
  readonly otherEvents: readonly EventRow[];
  readonly otherDevices: Awaited<ReturnType<typeof caseStore.findDevices>>;
  readonly policies: Awaited<ReturnType<typeof evidenceStore.findPolicies>>;
  readonly earlier: Awaited<ReturnType<typeof evidenceStore.listIncidentsAbout>>;
  /** One event for each alert of the newest false alarms. */
  readonly falseAlarms: readonly Pattern[];
}

/** Reads what is related to the case. All windows are set by the case's own times: when this runs does not matter. */
export async function gatherEvidence(
  queries: ReadQueries,
  tenantId: TenantId,
  file: CaseFile,
): Promise<EvidenceFacts> {
  const keys = indicatorKeysOf(file);
  const found = await evidenceStore.listSightings(queries, tenantId, {
    keys,
    fromMs: file.fromMs - SIGHTING_DAYS * DAY_MS,
    limit: MOST_SIGHTINGS + 1,
  });
  const sightings = found.slice(0, MOST_SIGHTINGS);
  const deviceIds = file.devices.map((device) => device.deviceId);
  const own = new Set(deviceIds);
  const elsewhere = sightings.filter((sighting) => !own.has(sighting.device_id));
  const policyIds = [...new Set(file.events.map((event) => event.policyId))];
  return {
    ...(await gatherHistories(queries, tenantId, file)),
    sightings,
    isSightingsCut: found.length > MOST_SIGHTINGS,
    otherEvents: await caseStore.listNewestOfThreats(queries, tenantId, {
      threatIds: [...new Set(elsewhere.map((sighting) => sighting.threat_id))],
      limit: MOST_OTHER_EVENTS,
    }),
    otherDevices: await caseStore.findDevices(queries, tenantId, [
      ...new Set(elsewhere.map((sighting) => sighting.device_id)),
    ]),
    policies: await evidenceStore.findPolicies(queries, tenantId, policyIds),
    earlier: await evidenceStore.listIncidentsAbout(queries, tenantId, {
      correlationKeys: deviceIds,
      // By arrival, which may be later than what the devices' clocks say.
      untilMs: Math.max(file.toMs, ...file.events.map((event) => event.receivedAtMs)),
      limit: MOST_EARLIER,
    }),
    falseAlarms: await gatherFalseAlarms(queries, tenantId, file),
  };
}

/** Names the indicators of what was warned of or blocked, bounded. */
export function indicatorKeysOf(file: CaseFile): string[] {
  const harmful = findingsOf(file.events).filter(isHarmful);
  return [...new Set(harmful.flatMap(({ current }) => current.keys))].sort().slice(0, MOST_KEYS);
}

async function gatherHistories(queries: ReadQueries, tenantId: TenantId, file: CaseFile) {
  const active = countBy(file.events, (event) => event.deviceId);
  const ranked = file.devices
    .map((device) => device.deviceId)
    .sort((a, b) => (active.get(b) ?? 0) - (active.get(a) ?? 0) || (a < b ? -1 : 1));
  const looked = ranked.slice(0, MOST_DEVICES);
  const limit = Math.min(MOST_EVENTS_OF_DEVICE, Math.floor(MOST_EVENTS / Math.max(1, looked.length)));
  const fromMs = file.toMs - HISTORY_DAYS * DAY_MS;
  const span = {
    // Found by arrival, so that the walk along a device's events ends where the window does.
    afterPosition: await feedStore.findPositionBefore(queries, tenantId, fromMs - CLOCK_AHEAD_MS),
    untilPosition: Math.max(0, ...file.events.map((event) => event.position)) || Number.MAX_SAFE_INTEGER,
    fromMs,
    toMs: file.toMs,
  };
  const histories: EvidenceFacts['histories'][number][] = [];
  for (const deviceId of looked) {
    const rows = await caseStore.listNewestOfDevice(queries, tenantId, {
      ...span,
      deviceId,
      limit: limit + 1,
    });
    histories.push({ deviceId, rows: rows.slice(0, limit), isCut: rows.length > limit });
  }
  return { histories, skippedDevices: ranked.length - looked.length };
}

/** Reads an event of each alert in the newest false alarms: it tells which policy and which indicators misled. */
async function gatherFalseAlarms(
  queries: ReadQueries,
  tenantId: TenantId,
  file: CaseFile,
): Promise<Pattern[]> {
  const own = new Set(file.incidents.map((incident) => incident.incidentId));
  const newest = await evidenceStore.listFalseIncidents(queries, tenantId, NEWEST_FALSE);
  const incidentIds = newest.filter((incidentId) => !own.has(incidentId));
  const { members } = await caseStore.listMembers(queries, tenantId, {
    incidentIds,
    kind: 'alert',
    limit: MOST_FALSE_ALERTS,
  });
  const alerts = await caseStore.findAlerts(
    queries,
    tenantId,
    members.map((member) => member.memberId),
  );
  const incidentOf = new Map(
    alerts.flatMap((alert) => {
      const [first] = JSON.parse(alert.event_ids) as string[];
      return first === undefined || alert.incident_id === null ? [] : [[first, alert.incident_id] as const];
    }),
  );
  const events = await caseStore.findEvents(queries, tenantId, [...incidentOf.keys()]);
  return events.map((event) => ({ incidentId: incidentOf.get(event.event_id) ?? '', event }));
}
