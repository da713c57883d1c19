import { type AlertRecord, canMerge, isAlerting, mergeInto, openAlert } from '../../alerts/index.ts';
import { type FeedEvent, isAtLeast } from '../../feed/index.ts';
import { type IncidentSubject, isUnresolved } from '../../incidents/index.ts';
import { canJoin, joinThreat, openThreat, type ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import { type DerivationContext, DerivationState, type DerivedChanges } from './derivation-state.ts';
import { detectCampaigns } from './detect-campaigns.ts';
import { deviceMessage } from './incident-texts.ts';
import { addMembers, detectBrokenChain, joinOrOpenIncident, joinRunningIncident } from './open-incidents.ts';

/** The threat and the alert that an event belongs to. */
export interface DerivedLinks {
  readonly threatId: string | null;
  readonly alertId: string | null;
}

export interface DeriveResult {
  readonly changes: DerivedChanges;
  /** One per event, in order. */
  readonly links: DerivedLinks[];
}

/**
 * Derives threats, alerts and incidents from events, oldest first. Pure: the same events in the same context yield
 * the same changes, ids included, regardless of how the events are grouped into calls.
 */
export function derive(
  events: readonly FeedEvent[],
  context: DerivationContext,
  settings: DerivationSettings,
): DeriveResult {
  const state = new DerivationState(context);
  const links = events.map((event) => deriveOne(event, state, { settings }));
  return { changes: state.changes(), links };
}

/** Derives one event into the state. A correction returns to its incident, its `home`. */
export function deriveOne(
  event: FeedEvent,
  state: DerivationState,
  { settings, home = null }: { settings: DerivationSettings; home?: string | null },
): DerivedLinks {
  detectBrokenChain(event, state, settings);
  if (event.action === 'allow') return { threatId: null, alertId: null };

  const threat = addToThreat(event, state, settings);
  const alert = isAlerting(event) ? addToAlert(event, { threat, state, settings, home }) : undefined;
  detectCampaigns(event, { threat, alert, state, settings });
  return { threatId: threat.threatId, alertId: alert?.alertId ?? null };
}

function addToThreat(event: FeedEvent, state: DerivationState, settings: DerivationSettings): ThreatRecord {
  const candidates = event.correlationKeys
    .flatMap((correlationKey) => {
      const sighting = state.sighting({ ...event, correlationKey });
      const isSeen = sighting !== undefined && sighting.lastSeenAtMs > 0;
      return (isSeen && state.threat(sighting.threatId)) || [];
    })
    .filter((threat) => canJoin(threat, event, settings.threat));
  // Events may share indicators with several threats: the newest one is most likely still active.
  const [newest] = candidates.sort((a, b) => (a.threatId < b.threatId ? 1 : -1));
  const threat = newest ? joinThreat(newest, event) : openThreat(event);
  state.putThreat(threat);
  recordSightings(event, threat, state);
  return threat;
}

/** Records that the event's indicators were seen in this threat. */
export function recordSightings(event: FeedEvent, threat: ThreatRecord, state: DerivationState): void {
  const { deviceId, category } = event;
  for (const correlationKey of event.correlationKeys) {
    const before = state.sighting({ correlationKey, deviceId, category });
    const lastSeenAtMs = Math.max(before?.lastSeenAtMs ?? 0, event.decidedAtMs);
    state.putSighting({ correlationKey, deviceId, category, threatId: threat.threatId, lastSeenAtMs });
  }
}

/** Where an alerting event is derived. */
interface AlertParts {
  readonly threat: ThreatRecord;
  readonly state: DerivationState;
  readonly settings: DerivationSettings;
  /** The incident that an alert without one joins, if that incident is unresolved. */
  readonly home: string | null;
}

export function addToAlert(event: FeedEvent, parts: AlertParts): AlertRecord {
  const { threat, state, settings } = parts;
  const fresh = openAlert(event, threat.threatId);
  const open = fresh.mergeKey === null ? [] : [...state.alertsToMerge(fresh.mergeKey)];
  const [newest] = open
    .filter((alert) => canMerge(alert, event, settings.alertMergeMs))
    .sort((a, b) => (a.alertId < b.alertId ? 1 : -1));
  const alert = newest ? mergeInto(newest, event) : fresh;
  return addToIncident(alert, event, parts);
}

/** Adds the alert of a high-severity event to the incident of its device and category, and stores the alert. */
export function addToIncident(
  alert: AlertRecord,
  event: FeedEvent,
  { threat, state, settings, home }: AlertParts,
): AlertRecord {
  if (!isAtLeast(event.severity, 'high')) {
    state.putAlert(alert);
    return alert;
  }
  const subject: IncidentSubject = {
    category: event.category,
    correlationKey: event.deviceId,
    severity: event.severity,
    message: deviceMessage(event),
  };
  // An alert belongs to one incident, even if later events have moved that incident's time far ahead.
  const ownId = alert.incidentId ?? home;
  const own = [...state.incidentsAbout(subject)].find(({ incidentId }) => incidentId === ownId);
  const incident =
    own && isUnresolved(own)
      ? joinRunningIncident(own, event, { subject, state })
      : joinOrOpenIncident(event, subject, { state, gapMs: settings.incidentGapMs });
  const joined = { ...alert, incidentId: incident.incidentId };
  state.putAlert(joined);
  addMembers(state, incident, [
    ['device', event.deviceId],
    ['alert', alert.alertId],
    ['threat', alert.threatId],
    // Differs from the alert's threat if that one was dismissed in the meantime.
    ['threat', threat.threatId],
  ]);
  return joined;
}
