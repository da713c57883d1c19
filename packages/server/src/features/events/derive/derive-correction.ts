import { type AlertRecord, isAlerting, recomputeAlert } from '../../alerts/index.ts';
import { type FeedEvent, maxSeverity } from '../../feed/index.ts';
import { type IncidentRecord, isUnresolved, timelineEntryOf } from '../../incidents/index.ts';
import { recomputeThreat, type ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import { type DerivationContext, DerivationState, type DerivedChanges } from './derivation-state.ts';
import { addToAlert, addToIncident, type DerivedLinks, deriveOne, recordSightings } from './derive.ts';
import { detectCampaigns } from './detect-campaigns.ts';
import { detectBrokenChain } from './open-incidents.ts';

/** What a correction replaces: the event that counted until now, and what it belongs to. */
export interface CorrectionContext {
  readonly effective: FeedEvent;
  readonly threat: ThreatRecord | undefined;
  /** The other events of the threat that count, oldest first. */
  readonly othersOfThreat: readonly FeedEvent[];
  readonly alert: AlertRecord | undefined;
  readonly othersOfAlert: readonly FeedEvent[];
  /** The incident of the alert. */
  readonly incident: IncidentRecord | undefined;
}

/**
 * Derives a correction. The replaced event no longer counts: its threat and alert are recomputed from the others. A
 * correction that still reports the same kind of threat takes the place of the event it corrects; any other is
 * derived like a new event. Pure, like `derive`.
 */
export function deriveCorrection(
  correction: FeedEvent,
  replaced: CorrectionContext,
  { context, settings }: { context: DerivationContext; settings: DerivationSettings },
): { changes: DerivedChanges; links: DerivedLinks } {
  const state = new DerivationState(context);
  const isSameKind = correction.action !== 'allow' && correction.category === replaced.effective.category;
  const keptThreat = isSameKind ? replaced.threat : undefined;
  const keptAlert = keptThreat && isAlerting(correction) ? replaced.alert : undefined;

  const threat = replaceInThreat(correction, replaced, { state, isKept: keptThreat !== undefined });
  const alert = replaceInAlert(correction, replaced, { threat: keptAlert && threat, state, settings });
  if (!keptThreat || !threat) {
    return { links: deriveOne(correction, state, settings), changes: state.changes() };
  }
  detectBrokenChain(correction, state, settings);
  const current =
    keptAlert || !isAlerting(correction) ? alert : addToAlert(correction, { threat, state, settings });
  const linked = isAlerting(correction) ? current : undefined;
  detectCampaigns(correction, { threat, alert: linked, state, settings });
  return {
    links: { threatId: threat.threatId, alertId: linked?.alertId ?? null },
    changes: state.changes(),
  };
}

function replaceInThreat(
  correction: FeedEvent,
  { effective, threat, othersOfThreat }: CorrectionContext,
  { state, isKept }: { state: DerivationState; isKept: boolean },
): ThreatRecord | undefined {
  if (!threat) return undefined;
  const recomputed = recomputeThreat(
    threat,
    isKept ? inOrder([...othersOfThreat, correction]) : othersOfThreat,
  );
  state.putThreat(recomputed);
  retractSightings(effective, { threat, othersOfThreat, state });
  if (isKept) recordSightings(correction, recomputed, state);
  return recomputed;
}

/** Resets the sightings of the replaced event to the events of its threat that still count. */
function retractSightings(
  effective: FeedEvent,
  {
    threat,
    othersOfThreat,
    state,
  }: { threat: ThreatRecord; othersOfThreat: readonly FeedEvent[]; state: DerivationState },
): void {
  for (const correlationKey of effective.correlationKeys) {
    const sighting = state.sighting({ ...effective, correlationKey });
    if (sighting?.threatId !== threat.threatId) continue;
    const lastSeenAtMs = othersOfThreat
      .filter((other) => other.correlationKeys.includes(correlationKey))
      .reduce((latest, other) => Math.max(latest, other.decidedAtMs), 0);
    state.putSighting({ ...sighting, lastSeenAtMs });
  }
}

/** Recomputes the alert, including the correction if it stays in the `threat`. */
function replaceInAlert(
  correction: FeedEvent,
  { effective, alert, othersOfAlert, incident }: CorrectionContext,
  parts: { threat: ThreatRecord | undefined; state: DerivationState; settings: DerivationSettings },
): AlertRecord | undefined {
  if (!alert) return undefined;
  const { threat, state, settings } = parts;
  const isKept = threat !== undefined;
  const events = isKept ? [...othersOfAlert, correction] : othersOfAlert;
  const recomputed = recomputeAlert(alert, events, correction);
  if (incident) {
    const mayRaise = isKept && isUnresolved(incident);
    state.putIncident({
      ...incident,
      severity: mayRaise ? maxSeverity(incident.severity, correction.severity) : incident.severity,
      version: incident.version + 1,
      updatedAtMs: correction.receivedAtMs,
    });
    const message = `Event ${effective.eventId} corrected to ${correction.action}, severity ${correction.severity}, by ${correction.eventId}`;
    state.addTimelineEntry(timelineEntryOf(incident.incidentId, correction, { kind: 'correction', message }));
  }
  if (threat && recomputed.incidentId === null)
    return addToIncident(recomputed, correction, { threat, state, settings });
  state.putAlert(recomputed);
  return recomputed;
}

/** Ordered by decision time; a correction has the decision time of the event it corrects. */
function inOrder(events: readonly FeedEvent[]): FeedEvent[] {
  return events.toSorted((a, b) => a.decidedAtMs - b.decidedAtMs || a.position - b.position);
}
