import { type Decision, graver } from '../../feed/index.ts';
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
import type { Draft } from './derivation-state.ts';

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

/** Puts the event into the newest incident about the subject that it can join, else opens one. */
export function joinOrOpen(
  decision: Decision,
  subject: IncidentSubject,
  { draft, gapMs }: { draft: Draft; gapMs: number },
): IncidentRecord {
  const [running] = [...draft.incidentsAbout(subject)]
    .filter((incident) => canJoinIncident(incident, decision, gapMs))
    .sort((a, b) => (a.incidentId < b.incidentId ? 1 : -1));
  if (running) return join(running, decision, { subject, draft });
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

export function join(
  running: IncidentRecord,
  decision: Decision,
  { subject, draft }: { subject: IncidentSubject; draft: Draft },
): IncidentRecord {
  const joined = joinIncident(running, decision);
  const incident = { ...joined, severity: graver(joined.severity, subject.severity) };
  draft.putIncident(incident);
  return incident;
}

export function addMembers(
  draft: Draft,
  { incidentId }: IncidentRecord,
  members: readonly [MemberKind, string][],
): void {
  for (const [kind, memberId] of members) draft.addMember({ incidentId, kind, memberId });
}
