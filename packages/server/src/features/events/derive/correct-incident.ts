import { type AlertRecord, isAlerting } from '../../alerts/index.ts';
import { type FeedEvent, isAtLeast, maxSeverity } from '../../feed/index.ts';
import {
  describeStatus,
  type IncidentRecord,
  isUnresolved,
  resolvedAt,
  timelineEntryOf,
} from '../../incidents/index.ts';
import type { CorrectionContext, DerivationState } from './derivation-state.ts';
import { correctionMessage } from './incident-texts.ts';

/**
 * Returns the incident that the correction of a withdrawn event comes back to, once the correction reports the same kind
 * of threat again with high severity: the last one it was in, unless people have ended that one.
 */
export function findHome(
  correction: FeedEvent,
  { incident, isHandled }: CorrectionContext,
): IncidentRecord | undefined {
  if (!incident || !isAlerting(correction) || !isAtLeast(correction.severity, 'high')) return undefined;
  const isSame = incident.category === correction.category && incident.correlationKey === correction.deviceId;
  return isSame && (isUnresolved(incident) || isEndedByService(incident, isHandled)) ? incident : undefined;
}

/** Only the service and people end incidents. */
function isEndedByService({ status }: IncidentRecord, isHandled: boolean): boolean {
  return status === 'resolved' && !isHandled;
}

/**
 * Notes the correction in the incident. Unless people have taken it, the service resolves the incident when its last
 * event of high severity was corrected to allow, and opens it again when a correction reverts that.
 */
export function correctIncident(
  correction: FeedEvent,
  { effective, incident, isHandled, hasOtherSevereAlert }: CorrectionContext,
  parts: { alert: AlertRecord | undefined; isKept: boolean; isHome: boolean; state: DerivationState },
): void {
  const { alert, isKept, isHome, state } = parts;
  if (!incident || !(alert || isHome)) return;
  const mayRaise = isKept && (isUnresolved(incident) || isHome);
  const isLast = !hasOtherSevereAlert && !(alert && isSevere(alert));
  const ends = correction.action === 'allow' && isLast && isUnresolved(incident) && !isHandled;
  const reopens = isHome && !isUnresolved(incident);
  const moved: IncidentRecord = {
    ...incident,
    ...(ends ? ({ status: 'resolved', resolution: 'false_positive' } as const) : {}),
    ...(reopens ? ({ status: 'open', resolution: null } as const) : {}),
  };
  const resolvedAtMs = resolvedAt(incident, moved, correction.receivedAtMs);
  const after: IncidentRecord = {
    ...moved,
    resolvedAtMs,
    firstResolvedAtMs: incident.firstResolvedAtMs ?? resolvedAtMs,
    severity: mayRaise ? maxSeverity(incident.severity, correction.severity) : incident.severity,
    version: incident.version + 1,
    updatedAtMs: correction.receivedAtMs,
  };
  state.putIncident(after);
  const isMoved = after.status !== incident.status;
  const message = [
    correctionMessage(effective.eventId, correction),
    ...(isMoved ? [describeStatus(incident, after)] : []),
  ].join('. ');
  state.addTimelineEntry(timelineEntryOf(incident.incidentId, correction, { kind: 'correction', message }));
  if (isMoved)
    state.addStatusChange({
      before: incident,
      after,
      eventId: correction.eventId,
      atMs: correction.receivedAtMs,
    });
}

function isSevere({ status, severity }: AlertRecord): boolean {
  return status === 'open' && isAtLeast(severity, 'high');
}
