import {
  type AlertRecord,
  canMerge,
  categoryWords,
  isAlerting,
  mergeInto,
  openAlert,
} from '../alerts/index.ts';
import { correlationKeysOf, type Decision, graver, isAtLeast } from '../events/index.ts';
import {
  canJoinIncident,
  type IncidentRecord,
  type IncidentSubject,
  isUnresolved,
  joinIncident,
  type MemberKind,
  openIncident,
  timelineEntryOf,
} from '../incidents/index.ts';
import { canJoin, joinThreat, openThreat, type ThreatRecord } from '../threats/index.ts';
import { type Changes, type DerivationContext, Draft } from './draft.ts';
import type { DerivationSettings } from './settings.ts';

/** The threat and the alert that an event joined. */
export interface Placement {
  readonly threatId: string | null;
  readonly alertId: string | null;
}

export interface Derived {
  readonly changes: Changes;
  /** One for each decision, in order. */
  readonly placements: Placement[];
}

/**
 * Derives threats, alerts and incidents from events, oldest first. Pure: the same events over the same context give the
 * same changes, ids included, however the events are grouped into calls.
 */
export function derive(
  decisions: readonly Decision[],
  context: DerivationContext,
  settings: DerivationSettings,
): Derived {
  const draft = new Draft(context);
  const placements = decisions.map((decision) => deriveOne(decision, draft, settings));
  return { changes: draft.changes(), placements };
}

/** Derives one event into the draft. */
export function deriveOne(decision: Decision, draft: Draft, settings: DerivationSettings): Placement {
  noteBrokenChain(decision, draft, settings);
  if (decision.action === 'allow') return { threatId: null, alertId: null };

  const threat = placeInThreat(decision, draft, settings);
  const alert = isAlerting(decision) ? placeInAlert(decision, { threat, draft, settings }) : undefined;
  noteCampaigns(decision, { threat, alert, draft, settings });
  return { threatId: threat.threatId, alertId: alert?.alertId ?? null };
}

function placeInThreat(decision: Decision, draft: Draft, settings: DerivationSettings): ThreatRecord {
  const keys = correlationKeysOf(decision);
  const candidates = keys
    .map((correlationKey) => draft.sighting({ ...decision, correlationKey }))
    .map((sighting) => sighting && draft.threat(sighting.threatId))
    .filter((threat) => threat !== undefined)
    .filter((threat) => canJoin(threat, decision, settings.threat));
  // Events may share indicators with several threats: the one that began last is most likely still going on.
  const [newest] = candidates.sort((a, b) => (a.threatId < b.threatId ? 1 : -1));
  const threat = newest ? joinThreat(newest, decision) : openThreat(decision);
  draft.putThreat(threat);
  noteSightings(decision, threat, draft);
  return threat;
}

/** Notes that the event's indicators were seen in this threat. */
export function noteSightings(decision: Decision, threat: ThreatRecord, draft: Draft): void {
  const { deviceId, category } = decision;
  for (const correlationKey of correlationKeysOf(decision)) {
    const before = draft.sighting({ correlationKey, deviceId, category });
    const lastSeenAtMs = Math.max(before?.lastSeenAtMs ?? 0, decision.decidedAtMs);
    draft.putSighting({ correlationKey, deviceId, category, threatId: threat.threatId, lastSeenAtMs });
  }
}

export function placeInAlert(
  decision: Decision,
  { threat, draft, settings }: { threat: ThreatRecord; draft: Draft; settings: DerivationSettings },
): AlertRecord {
  const fresh = openAlert(decision, threat.threatId);
  const open = fresh.mergeKey === null ? [] : [...draft.alertsToMerge(fresh.mergeKey)];
  const [newest] = open
    .filter((alert) => canMerge(alert, decision, settings.alertMergeMs))
    .sort((a, b) => (a.alertId < b.alertId ? 1 : -1));
  const alert = newest ? mergeInto(newest, decision) : fresh;
  return placeInIncident(alert, decision, { draft, settings });
}

/** Puts an alert of a grave event into the incident of its device and category, and keeps the alert. */
export function placeInIncident(
  alert: AlertRecord,
  decision: Decision,
  { draft, settings }: { draft: Draft; settings: DerivationSettings },
): AlertRecord {
  if (!isAtLeast(decision.severity, 'high')) {
    draft.putAlert(alert);
    return alert;
  }
  const subject: IncidentSubject = {
    category: decision.category,
    correlationKey: decision.deviceId,
    severity: decision.severity,
    message: `${categoryWords(decision.category)} on device ${decision.deviceId}`,
  };
  const incident = joinOrOpen(decision, subject, { draft, gapMs: settings.incidentGapMs });
  const placed = { ...alert, incidentId: alert.incidentId ?? incident.incidentId };
  draft.putAlert(placed);
  addMembers(draft, incident, [
    ['device', decision.deviceId],
    ['alert', alert.alertId],
    ['threat', alert.threatId],
  ]);
  return placed;
}

/** Tells of a device whose own chain of events has a gap or two ends: events were lost, or somebody else has its key. */
export function noteBrokenChain(decision: Decision, draft: Draft, settings: DerivationSettings): void {
  if (decision.deviceChain !== 'gap' && decision.deviceChain !== 'fork') return;
  const what = decision.deviceChain === 'gap' ? 'a gap' : 'a fork';
  const incident = joinOrOpen(
    decision,
    {
      category: 'device_integrity',
      correlationKey: decision.deviceId,
      severity: 'high',
      message: `The event chain of device ${decision.deviceId} has ${what} at ${decision.eventId}`,
    },
    { draft, gapMs: settings.incidentGapMs },
  );
  addMembers(draft, incident, [['device', decision.deviceId]]);
}

/** Tells of each indicator of the event that enough devices have seen within the campaign window. */
export function noteCampaigns(
  decision: Decision,
  parts: { threat: ThreatRecord; alert: AlertRecord | undefined; draft: Draft; settings: DerivationSettings },
): void {
  const { threat, alert, draft, settings } = parts;
  // Without indicators the only key is the policy, which all devices share.
  const keys = decision.indicators.length === 0 ? [] : correlationKeysOf(decision);
  for (const [index, correlationKey] of keys.entries()) {
    const about = { category: 'campaign', correlationKey } as const;
    const incidents = [...draft.incidentsAbout(about)];
    const isRunning = incidents.some((incident) => canJoinIncident(incident, decision, settings.campaignMs));
    // What a resolved campaign has already told does not count towards the next.
    const toldUntilMs = incidents
      .filter((incident) => !isUnresolved(incident))
      .map((incident) => incident.lastEventAtMs);
    const fromMs = Math.max(decision.decidedAtMs - settings.campaignMs, ...toldUntilMs.map((ms) => ms + 1));
    const sightings = [...draft.sightingsOf(correlationKey)].filter(
      ({ lastSeenAtMs }) =>
        lastSeenAtMs >= fromMs && lastSeenAtMs <= decision.decidedAtMs + settings.campaignMs,
    );
    const devices = new Set(sightings.map((sighting) => sighting.deviceId));
    if (!isRunning && devices.size < settings.campaignDevices) continue;

    const message = `Indicator ${decision.indicators[index]} seen on ${settings.campaignDevices} or more devices`;
    const incident = joinOrOpen(
      decision,
      { ...about, severity: decision.severity, message },
      { draft, gapMs: settings.campaignMs },
    );
    const told = isRunning ? [] : sightings;
    addMembers(draft, incident, [
      ...told.flatMap((sighting): [MemberKind, string][] => [
        ['device', sighting.deviceId],
        ['threat', sighting.threatId],
      ]),
      ['device', decision.deviceId],
      ['threat', threat.threatId],
      ...(alert ? [['alert', alert.alertId] satisfies [MemberKind, string]] : []),
    ]);
  }
}

function joinOrOpen(
  decision: Decision,
  subject: IncidentSubject,
  { draft, gapMs }: { draft: Draft; gapMs: number },
): IncidentRecord {
  const [running] = [...draft.incidentsAbout(subject)]
    .filter((incident) => canJoinIncident(incident, decision, gapMs))
    .sort((a, b) => (a.incidentId < b.incidentId ? 1 : -1));
  if (running) {
    const joined = joinIncident(running, decision);
    const incident = { ...joined, severity: graver(joined.severity, subject.severity) };
    draft.putIncident(incident);
    return incident;
  }
  const incident = openIncident(decision, subject);
  draft.putIncident(incident);
  draft.addTimelineEntry(
    timelineEntryOf(incident.incidentId, decision, {
      kind: 'opened',
      message: `Opened by event ${decision.eventId}`,
    }),
  );
  return incident;
}

function addMembers(
  draft: Draft,
  { incidentId }: IncidentRecord,
  members: readonly [MemberKind, string][],
): void {
  for (const [kind, memberId] of members) draft.addMember({ incidentId, kind, memberId });
}
