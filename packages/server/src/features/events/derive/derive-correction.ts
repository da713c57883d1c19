import { type AlertRecord, isAlerting, recomputeAlert } from '../../alerts/index.ts';
import { type FeedEvent, isAtLeast } from '../../feed/index.ts';
import { recomputeThreat, type ThreatRecord } from '../../threats/index.ts';
import { correctIncident, findHome } from './correct-incident.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import {
  type CorrectionContext,
  type DerivationContext,
  DerivationState,
  type DerivedChanges,
} from './derivation-state.ts';
import { addToAlert, addToIncident, type DerivedLinks, deriveOne, recordSightings } from './derive.ts';
import { detectCampaigns } from './detect-campaigns.ts';
import { addMembers, detectBrokenChain } from './open-incidents.ts';

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
  const home = findHome(correction, replaced);
  const incidents = home ? [...context.incidents, home] : context.incidents;
  const state = new DerivationState({ ...context, incidents });
  const isSameKind = correction.action !== 'allow' && correction.category === replaced.effective.category;
  const keptThreat = isSameKind ? replaced.threat : undefined;
  const keptAlert = keptThreat && isAlerting(correction) ? replaced.alert : undefined;

  const threat = replaceInThreat(correction, replaced, { state, isKept: keptThreat !== undefined });
  const parts = { state, settings, home: home?.incidentId ?? null };
  const alert = replaceInAlert(correction, replaced, { ...parts, threat: keptAlert && threat });
  if (!keptThreat || !threat) {
    return { links: deriveOne(correction, state, parts), changes: state.changes() };
  }
  detectBrokenChain(correction, state, settings);
  const current = keptAlert || !isAlerting(correction) ? alert : addToAlert(correction, { ...parts, threat });
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

/** Recomputes the alert, including the correction if it stays in the `threat`, and its incident. */
function replaceInAlert(
  correction: FeedEvent,
  replaced: CorrectionContext,
  parts: {
    threat: ThreatRecord | undefined;
    state: DerivationState;
    settings: DerivationSettings;
    home: string | null;
  },
): AlertRecord | undefined {
  const { alert, othersOfAlert } = replaced;
  const { threat, state, home } = parts;
  const isKept = threat !== undefined;
  const events = isKept ? [...othersOfAlert, correction] : othersOfAlert;
  const recomputed = alert && recomputeAlert(alert, events, correction);
  correctIncident(correction, replaced, { alert: recomputed, isKept, isHome: home !== null, state });
  if (!recomputed) return undefined;
  if (threat && recomputed.incidentId === null)
    return addToIncident(recomputed, correction, { ...parts, threat });
  state.putAlert(recomputed);
  // While the corrected event was milder, its own threat may not have been in the incident of its alert.
  if (threat && replaced.incident && isAtLeast(correction.severity, 'high'))
    addMembers(state, replaced.incident, [['threat', threat.threatId]]);
  return recomputed;
}

/** Ordered by decision time; a correction has the decision time of the event it corrects. */
function inOrder(events: readonly FeedEvent[]): FeedEvent[] {
  return events.toSorted((a, b) => a.decidedAtMs - b.decidedAtMs || a.position - b.position);
}
