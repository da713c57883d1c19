import { type AlertRecord, isAlerting, recomputeAlert } from '../../alerts/index.ts';
import { type Decision, graver } from '../../feed/index.ts';
import { type IncidentRecord, isUnresolved, timelineEntryOf } from '../../incidents/index.ts';
import { recomputeThreat, type ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import { type Changes, type DerivationContext, Draft } from './derivation-state.ts';
import { deriveOne, noteSightings, type Placement, placeInAlert, placeInIncident } from './derive.ts';
import { noteCampaigns } from './detect-campaigns.ts';
import { noteBrokenChain } from './open-incidents.ts';

/** What a correction replaces: the event that counted until now, and what it had become part of. */
export interface CorrectionContext {
  readonly effective: Decision;
  readonly threat: ThreatRecord | undefined;
  /** The other events of the threat that count, oldest first. */
  readonly othersOfThreat: readonly Decision[];
  readonly alert: AlertRecord | undefined;
  readonly othersOfAlert: readonly Decision[];
  /** The incident of the alert. */
  readonly incident: IncidentRecord | undefined;
}

/**
 * Derives a correction. The replaced event no longer counts: its threat and alert are worked out again from the others.
 * A correction that still sees the same kind of threat takes the place of what it corrects; any other is derived like a
 * new event. Pure, like `derive`.
 */
export function deriveCorrection(
  correction: Decision,
  replaced: CorrectionContext,
  { context, settings }: { context: DerivationContext; settings: DerivationSettings },
): { changes: Changes; placement: Placement } {
  const draft = new Draft(context);
  const isSameKind = correction.action !== 'allow' && correction.category === replaced.effective.category;
  const keptThreat = isSameKind ? replaced.threat : undefined;
  const keptAlert = keptThreat && isAlerting(correction) ? replaced.alert : undefined;

  const threat = replaceInThreat(correction, replaced, { draft, isKept: keptThreat !== undefined });
  const alert = replaceInAlert(correction, replaced, { threat: keptAlert && threat, draft, settings });
  if (!keptThreat || !threat) {
    return { placement: deriveOne(correction, draft, settings), changes: draft.changes() };
  }
  noteBrokenChain(correction, draft, settings);
  const placed =
    keptAlert || !isAlerting(correction) ? alert : placeInAlert(correction, { threat, draft, settings });
  const shown = isAlerting(correction) ? placed : undefined;
  noteCampaigns(correction, { threat, alert: shown, draft, settings });
  return {
    placement: { threatId: threat.threatId, alertId: shown?.alertId ?? null },
    changes: draft.changes(),
  };
}

function replaceInThreat(
  correction: Decision,
  { effective, threat, othersOfThreat }: CorrectionContext,
  { draft, isKept }: { draft: Draft; isKept: boolean },
): ThreatRecord | undefined {
  if (!threat) return undefined;
  const recomputed = recomputeThreat(
    threat,
    isKept ? inOrder([...othersOfThreat, correction]) : othersOfThreat,
  );
  draft.putThreat(recomputed);
  takeBackSightings(effective, { threat, othersOfThreat, draft });
  if (isKept) noteSightings(correction, recomputed, draft);
  return recomputed;
}

/** Dates what the replaced event had seen by the events of its threat that still count. */
function takeBackSightings(
  effective: Decision,
  {
    threat,
    othersOfThreat,
    draft,
  }: { threat: ThreatRecord; othersOfThreat: readonly Decision[]; draft: Draft },
): void {
  for (const correlationKey of effective.correlationKeys) {
    const sighting = draft.sighting({ ...effective, correlationKey });
    if (sighting?.threatId !== threat.threatId) continue;
    const lastSeenAtMs = othersOfThreat
      .filter((other) => other.correlationKeys.includes(correlationKey))
      .reduce((latest, other) => Math.max(latest, other.decidedAtMs), 0);
    draft.putSighting({ ...sighting, lastSeenAtMs });
  }
}

/** Works the alert out again, with the correction in it when it stays in the `threat`. */
function replaceInAlert(
  correction: Decision,
  { effective, alert, othersOfAlert, incident }: CorrectionContext,
  parts: { threat: ThreatRecord | undefined; draft: Draft; settings: DerivationSettings },
): AlertRecord | undefined {
  if (!alert) return undefined;
  const { threat, draft, settings } = parts;
  const isKept = threat !== undefined;
  const decisions = isKept ? [...othersOfAlert, correction] : othersOfAlert;
  const recomputed = recomputeAlert(alert, decisions, correction);
  if (incident) {
    const isGraver = isKept && isUnresolved(incident);
    draft.putIncident({
      ...incident,
      severity: isGraver ? graver(incident.severity, correction.severity) : incident.severity,
      version: incident.version + 1,
      updatedAtMs: correction.receivedAtMs,
    });
    const message = `Event ${effective.eventId} corrected to ${correction.action}, severity ${correction.severity}, by ${correction.eventId}`;
    draft.addTimelineEntry(timelineEntryOf(incident.incidentId, correction, { kind: 'correction', message }));
  }
  if (threat && recomputed.incidentId === null)
    return placeInIncident(recomputed, correction, { threat, draft, settings });
  draft.putAlert(recomputed);
  return recomputed;
}

/** By when the device decided, which for a correction is when the event it corrects was decided. */
function inOrder(decisions: readonly Decision[]): Decision[] {
  return decisions.toSorted((a, b) => a.decidedAtMs - b.decidedAtMs || a.position - b.position);
}
