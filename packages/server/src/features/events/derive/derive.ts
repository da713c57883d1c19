import {
  type AlertRecord,
  canMerge,
  categoryWords,
  isAlerting,
  mergeInto,
  openAlert,
} from '../../alerts/index.ts';
import { type Decision, isAtLeast } from '../../feed/index.ts';
import { type IncidentSubject, isUnresolved } from '../../incidents/index.ts';
import { canJoin, joinThreat, openThreat, type ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import { type Changes, type DerivationContext, Draft } from './derivation-state.ts';
import { noteCampaigns } from './detect-campaigns.ts';
import { addMembers, join, joinOrOpen, noteBrokenChain } from './open-incidents.ts';

/** The threat and the alert that an event joined. */
export interface Placement {
  readonly threatId: string | null;
  readonly alertId: string | null;
}

export interface DeriveResult {
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
): DeriveResult {
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
  const candidates = decision.correlationKeys
    .flatMap((correlationKey) => {
      const sighting = draft.sighting({ ...decision, correlationKey });
      const isSeen = sighting !== undefined && sighting.lastSeenAtMs > 0;
      return (isSeen && draft.threat(sighting.threatId)) || [];
    })
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
  for (const correlationKey of decision.correlationKeys) {
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
  return placeInIncident(alert, decision, { threat, draft, settings });
}

/** Puts an alert of a grave event into the incident of its device and category, and keeps the alert. */
export function placeInIncident(
  alert: AlertRecord,
  decision: Decision,
  { threat, draft, settings }: { threat: ThreatRecord; draft: Draft; settings: DerivationSettings },
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
  // An alert belongs to one incident, also where events that came late have left that far behind.
  const own = [...draft.incidentsAbout(subject)].find(({ incidentId }) => incidentId === alert.incidentId);
  const incident =
    own && isUnresolved(own)
      ? join(own, decision, { subject, draft })
      : joinOrOpen(decision, subject, { draft, gapMs: settings.incidentGapMs });
  const placed = { ...alert, incidentId: incident.incidentId };
  draft.putAlert(placed);
  addMembers(draft, incident, [
    ['device', decision.deviceId],
    ['alert', alert.alertId],
    ['threat', alert.threatId],
    // Another than the alert's where that was dismissed meanwhile.
    ['threat', threat.threatId],
  ]);
  return placed;
}
