import { type FeedEvent, maxSeverity } from '../../feed/index.ts';
import {
  canJoinIncident,
  type IncidentRecord,
  type IncidentSubject,
  joinIncident,
  type MemberKind,
  openIncident,
  timelineEntryOf,
} from '../../incidents/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type { DerivationState } from './derivation-state.ts';
import { brokenChainMessage, openedMessage } from './incident-texts.ts';

/**
 * Opens or joins an incident about a device whose event chain has a gap or a fork: events were lost, or another
 * party has its key.
 */
export function detectBrokenChain(
  event: FeedEvent,
  state: DerivationState,
  settings: DerivationSettings,
): void {
  if (event.deviceChain !== 'gap' && event.deviceChain !== 'fork') return;
  const incident = joinOrOpenIncident(
    event,
    {
      category: 'device_integrity',
      correlationKey: event.deviceId,
      severity: 'high',
      message: brokenChainMessage(event),
    },
    { state, gapMs: settings.incidentGapMs },
  );
  addMembers(state, incident, [['device', event.deviceId]]);
}

/** Adds the event to the newest incident about the subject that it can join, or opens one. */
export function joinOrOpenIncident(
  event: FeedEvent,
  subject: IncidentSubject,
  { state, gapMs }: { state: DerivationState; gapMs: number },
): IncidentRecord {
  const [running] = [...state.incidentsAbout(subject)]
    .filter((incident) => canJoinIncident(incident, event, gapMs))
    .sort((a, b) => (a.incidentId < b.incidentId ? 1 : -1));
  if (running) return joinRunningIncident(running, event, { subject, state });
  const incident = openIncident(event, subject);
  state.putIncident(incident);
  state.addTimelineEntry(
    timelineEntryOf(incident.incidentId, event, {
      kind: 'opened',
      message: openedMessage(event),
    }),
  );
  return incident;
}

export function joinRunningIncident(
  running: IncidentRecord,
  event: FeedEvent,
  { subject, state }: { subject: IncidentSubject; state: DerivationState },
): IncidentRecord {
  const joined = joinIncident(running, event);
  const incident = { ...joined, severity: maxSeverity(joined.severity, subject.severity) };
  state.putIncident(incident);
  return incident;
}

export function addMembers(
  state: DerivationState,
  { incidentId }: IncidentRecord,
  members: readonly [MemberKind, string][],
): void {
  for (const [kind, memberId] of members) state.addMember({ incidentId, kind, memberId });
}
