import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedStore } from '../../feed/index.ts';
import { isHarmful, isWithdrawn, toObservations } from './case-event.ts';
import type { CaseFile } from './case-file.ts';
import * as caseReadModel from './case-read-model.ts';
import * as evidenceReadModel from './evidence-read-model.ts';
import { countBy } from './order.ts';
import { type EventFacts, readEvents } from './read-events.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
const HISTORY_DAYS = 7;
/** How many days before the case the same indicators on other devices count. */
const SIGHTING_DAYS = 30;

const MAX_DEVICES = 25;
const MAX_EVENTS_OF_DEVICE = 200;
const MAX_EVENTS = 2000;
export const MAX_KEYS = 200;
const MAX_SIGHTINGS = 2000;
export const MAX_OTHER_DEVICES = 100;
const MAX_OTHER_EVENTS = 500;
const MAX_EARLIER = 100;
/** How many resolved incidents are read, and among how many of the newest incidents. */
const MAX_RESOLVED = 50;
const MAX_NEWEST_INCIDENTS = 1000;
const MAX_RESOLVED_ALERTS = 500;
/** The time of an event can be this much later than its arrival. */
const CLOCK_AHEAD_MS = 5 * MINUTE_MS;

/** An event of an incident that people have resolved. */
interface Precedent {
  readonly incidentId: string;
  readonly isFalse: boolean;
  readonly event: EventFacts;
  /** Whether the device itself has corrected it to allow. */
  readonly isWithdrawn: boolean;
}

export interface EvidenceFacts {
  readonly histories: readonly {
    readonly deviceId: string;
    readonly rows: readonly EventFacts[];
    readonly isCut: boolean;
  }[];
  readonly skippedDevices: number;
  readonly sightings: Awaited<ReturnType<typeof evidenceReadModel.listSightings>>;
  readonly isSightingsCut: boolean;
  readonly skippedKeys: number;
  /** The newest events of the threats in which other devices have seen the indicators. */
  readonly otherEvents: readonly EventFacts[];
  readonly otherDevices: Awaited<ReturnType<typeof caseReadModel.findDevices>>;
  readonly policies: Awaited<ReturnType<typeof evidenceReadModel.findPolicies>>;
  readonly earlier: Awaited<ReturnType<typeof evidenceReadModel.listIncidentsAbout>>;
  /** One event for each alert of the newest incidents that people have resolved. */
  readonly precedents: readonly Precedent[];
}

/**
 * Reads everything related to the case. All windows follow from the case's own times, except for events that were
 * corrected to allow. Policies, devices and the states of incidents are read as they are now.
 */
export async function gatherEvidence(
  queries: ReadQueries,
  tenantId: TenantId,
  file: CaseFile,
): Promise<EvidenceFacts> {
  const all = allKeysOf(file);
  const keys = all.slice(0, MAX_KEYS);
  const found = await evidenceReadModel.listSightings(queries, tenantId, {
    keys,
    fromMs: file.fromMs - SIGHTING_DAYS * DAY_MS,
    limit: MAX_SIGHTINGS + 1,
  });
  const sightings = found.slice(0, MAX_SIGHTINGS);
  const deviceIds = file.devices.map((device) => device.deviceId);
  const own = new Set(deviceIds);
  const elsewhere = sightings.filter((sighting) => !own.has(sighting.device_id));
  const policyIds = [...new Set(file.events.map((event) => event.policyId))];
  return {
    ...(await gatherHistories(queries, tenantId, file)),
    sightings,
    isSightingsCut: found.length > MAX_SIGHTINGS,
    skippedKeys: all.length - keys.length,
    otherEvents: await readEvents(
      queries,
      tenantId,
      await caseReadModel.listNewestOfThreats(queries, tenantId, {
        threatIds: [...new Set(elsewhere.map((sighting) => sighting.threat_id))],
        untilMs: lookupEnd(file),
        limit: MAX_OTHER_EVENTS,
      }),
    ),
    otherDevices: await caseReadModel.findDevices(queries, tenantId, [
      ...new Set(elsewhere.map((sighting) => sighting.device_id)),
    ]),
    policies: await evidenceReadModel.findPolicies(queries, tenantId, policyIds),
    earlier: await evidenceReadModel.listIncidentsAbout(queries, tenantId, {
      correlationKeys: deviceIds,
      untilMs: caseEnd(file),
      limit: MAX_EARLIER,
    }),
    precedents: await gatherPrecedents(queries, tenantId, file),
  };
}

/**
 * Returns the indicators of all warnings and blocks, up to a limit. Indicators that a correction has removed count too:
 * otherwise a device could hide what others have seen.
 */
export function indicatorKeysOf(file: CaseFile): string[] {
  return allKeysOf(file).slice(0, MAX_KEYS);
}

function allKeysOf(file: CaseFile): string[] {
  const concerned = toObservations(file.events).filter(
    (observation) => isHarmful(observation) || isWithdrawn(observation),
  );
  return [...new Set(concerned.flatMap(({ root, current }) => [...root.keys, ...current.keys]))].sort();
}

/** Returns the end of the case. Based on arrival, which may be later than the device's clock. */
function caseEnd(file: CaseFile): number {
  return Math.max(file.toMs, ...file.events.map((event) => event.receivedAtMs));
}

/**
 * Returns the time until which other devices and campaigns count: the end of the case, so that a later triage reads the
 * same facts. If an event was corrected to allow, later facts count too: they may show that the decision was right.
 */
export function lookupEnd(file: CaseFile): number {
  return toObservations(file.events).some(isWithdrawn) ? Number.MAX_SAFE_INTEGER : caseEnd(file);
}

async function gatherHistories(queries: ReadQueries, tenantId: TenantId, file: CaseFile) {
  const active = countBy(file.events, (event) => event.deviceId);
  const ranked = file.devices
    .map((device) => device.deviceId)
    .sort((a, b) => (active.get(b) ?? 0) - (active.get(a) ?? 0) || (a < b ? -1 : 1));
  const looked = ranked.slice(0, MAX_DEVICES);
  const limit = Math.min(MAX_EVENTS_OF_DEVICE, Math.floor(MAX_EVENTS / Math.max(1, looked.length)));
  const fromMs = file.toMs - HISTORY_DAYS * DAY_MS;
  const span = {
    // By arrival, so that the index scan over a device's events ends with the window.
    afterPosition: await feedStore.findPositionBefore(queries, tenantId, fromMs - CLOCK_AHEAD_MS),
    untilPosition: Math.max(0, ...file.events.map((event) => event.position)) || Number.MAX_SAFE_INTEGER,
    fromMs,
    toMs: file.toMs,
  };
  const histories: EvidenceFacts['histories'][number][] = [];
  for (const deviceId of looked) {
    const rows = await caseReadModel.listNewestOfDevice(queries, tenantId, {
      ...span,
      deviceId,
      limit: limit + 1,
    });
    histories.push({
      deviceId,
      rows: await readEvents(queries, tenantId, rows.slice(0, limit)),
      isCut: rows.length > limit,
    });
  }
  return { histories, skippedDevices: ranked.length - looked.length };
}

/** Reads one event of each alert in the newest resolved incidents, for its policy and indicators. */
async function gatherPrecedents(
  queries: ReadQueries,
  tenantId: TenantId,
  file: CaseFile,
): Promise<Precedent[]> {
  const own = new Set(file.incidents.map((incident) => incident.incidentId));
  const newest = await evidenceReadModel.listReviewedIncidents(queries, tenantId, {
    untilMs: caseEnd(file),
    among: MAX_NEWEST_INCIDENTS,
    limit: MAX_RESOLVED,
  });
  const resolved = newest.filter(({ incidentId }) => !own.has(incidentId));
  const isFalse = new Map(resolved.map((each) => [each.incidentId, each.isFalse]));
  const { members } = await caseReadModel.listMembers(queries, tenantId, {
    incidentIds: [...isFalse.keys()],
    kind: 'alert',
    limit: MAX_RESOLVED_ALERTS,
  });
  const alertIds = members.map((member) => member.memberId);
  const alerts = await caseReadModel.findAlerts(queries, tenantId, alertIds);
  const incidentOf = new Map(
    alerts.flatMap((alert) => {
      const [first] = JSON.parse(alert.event_ids) as string[];
      return first === undefined || alert.incident_id === null ? [] : [[first, alert.incident_id] as const];
    }),
  );
  const eventIds = [...incidentOf.keys()];
  const events = await readEvents(
    queries,
    tenantId,
    await caseReadModel.findEvents(queries, tenantId, eventIds),
  );
  const corrections = await readEvents(
    queries,
    tenantId,
    await caseReadModel.findCorrections(queries, tenantId, eventIds),
  );
  const withdrawn = new Set(
    corrections.flatMap((row) => (row.action_taken === 'allow' ? row.corrects_event_id : [])),
  );
  return events.map((event) => {
    const incidentId = incidentOf.get(event.event_id) ?? '';
    return {
      incidentId,
      isFalse: isFalse.get(incidentId) ?? false,
      event,
      isWithdrawn: withdrawn.has(event.event_id),
    };
  });
}
