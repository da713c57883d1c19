import type { AlertRecord } from '../../alerts/index.ts';
import type { FeedEvent } from '../../feed/index.ts';
import type { IncidentMember, IncidentRecord, TimelineRecord } from '../../incidents/index.ts';
import type { Sighting, ThreatRecord } from '../../threats/index.ts';

/** All stored state that deriving some events may need, and nothing else. Never modified. */
export interface DerivationContext {
  readonly threats: readonly ThreatRecord[];
  readonly sightings: readonly Sighting[];
  /** Open alerts that the events may join. */
  readonly alerts: readonly AlertRecord[];
  readonly incidents: readonly IncidentRecord[];
}

/** What a correction replaces: the event that counted until now, and what it belongs to. */
export interface CorrectionContext {
  readonly effective: FeedEvent;
  readonly threat: ThreatRecord | undefined;
  /** The other events of the threat that count, oldest first. */
  readonly othersOfThreat: readonly FeedEvent[];
  readonly alert: AlertRecord | undefined;
  readonly othersOfAlert: readonly FeedEvent[];
  /** The incident of the alert or, if the event is in no alert any more, of the last one it was in. */
  readonly incident: IncidentRecord | undefined;
  /** Whether a person has changed the incident or commented on it. */
  readonly isHandled: boolean;
  /** Whether another alert of the incident is open and of severity high or critical. */
  readonly hasOtherSevereAlert: boolean;
}

/** The service resolved an incident, or opened it again, because of a correction. */
export interface StatusChange {
  readonly before: IncidentRecord;
  readonly after: IncidentRecord;
  readonly eventId: string;
  readonly atMs: number;
}

/** The result of deriving some events: whole records in their new state, and rows to add. */
export interface DerivedChanges {
  readonly threats: ThreatRecord[];
  readonly sightings: Sighting[];
  readonly alerts: AlertRecord[];
  readonly incidents: IncidentRecord[];
  readonly members: IncidentMember[];
  readonly timeline: TimelineRecord[];
  readonly statusChanges: StatusChange[];
}

/**
 * The state while events are derived one by one. Reads return earlier writes, and every write is recorded as a
 * change.
 */
export class DerivationState {
  readonly #threats = new Map<string, ThreatRecord>();
  /** By correlation key, then by device and category. */
  readonly #sightings = new Map<string, Map<string, Sighting>>();
  readonly #alertsByMergeKey = new Map<string, Map<string, AlertRecord>>();
  readonly #incidents = new Map<string, Map<string, IncidentRecord>>();
  readonly #changed = {
    threats: new Set<string>(),
    sightings: new Map<string, Sighting>(),
    alerts: new Map<string, AlertRecord>(),
    incidents: new Map<string, IncidentRecord>(),
    members: new Map<string, IncidentMember>(),
    timeline: [] as TimelineRecord[],
    statusChanges: [] as StatusChange[],
  };

  constructor(context: DerivationContext) {
    for (const threat of context.threats) this.#threats.set(threat.threatId, threat);
    for (const sighting of context.sightings) this.#keepSighting(sighting);
    for (const alert of context.alerts) this.#keepAlert(alert);
    for (const incident of context.incidents) this.#keepIncident(incident);
  }

  threat(threatId: string): ThreatRecord | undefined {
    return this.#threats.get(threatId);
  }

  putThreat(threat: ThreatRecord): void {
    this.#threats.set(threat.threatId, threat);
    this.#changed.threats.add(threat.threatId);
  }

  sightingsOf(correlationKey: string): Iterable<Sighting> {
    return this.#sightings.get(correlationKey)?.values() ?? [];
  }

  sighting(key: Pick<Sighting, 'correlationKey' | 'deviceId' | 'category'>): Sighting | undefined {
    return this.#sightings.get(key.correlationKey)?.get(subjectOf(key));
  }

  putSighting(sighting: Sighting): void {
    this.#keepSighting(sighting);
    this.#changed.sightings.set(`${sighting.correlationKey} ${subjectOf(sighting)}`, sighting);
  }

  alertsToMerge(mergeKey: string): Iterable<AlertRecord> {
    return this.#alertsByMergeKey.get(mergeKey)?.values() ?? [];
  }

  putAlert(alert: AlertRecord): void {
    this.#keepAlert(alert);
    this.#changed.alerts.set(alert.alertId, alert);
  }

  incidentsAbout(subject: Pick<IncidentRecord, 'category' | 'correlationKey'>): Iterable<IncidentRecord> {
    return this.#incidents.get(aboutOf(subject))?.values() ?? [];
  }

  putIncident(incident: IncidentRecord): void {
    this.#keepIncident(incident);
    this.#changed.incidents.set(incident.incidentId, incident);
  }

  addMember(member: IncidentMember): void {
    this.#changed.members.set(`${member.incidentId} ${member.kind} ${member.memberId}`, member);
  }

  addTimelineEntry(entry: TimelineRecord): void {
    this.#changed.timeline.push(entry);
  }

  addStatusChange(change: StatusChange): void {
    this.#changed.statusChanges.push(change);
  }

  changes(): DerivedChanges {
    const { threats, sightings, alerts, incidents, members, timeline, statusChanges } = this.#changed;
    return {
      threats: [...threats].flatMap((threatId) => this.#threats.get(threatId) ?? []),
      sightings: [...sightings.values()],
      alerts: [...alerts.values()],
      incidents: [...incidents.values()],
      members: [...members.values()],
      timeline,
      statusChanges,
    };
  }

  #keepSighting(sighting: Sighting): void {
    keep(this.#sightings, sighting.correlationKey, subjectOf(sighting), sighting);
  }

  #keepAlert(alert: AlertRecord): void {
    if (alert.mergeKey !== null) keep(this.#alertsByMergeKey, alert.mergeKey, alert.alertId, alert);
  }

  #keepIncident(incident: IncidentRecord): void {
    keep(this.#incidents, aboutOf(incident), incident.incidentId, incident);
  }
}

function keep<Value>(
  index: Map<string, Map<string, Value>>,
  outer: string,
  inner: string,
  value: Value,
): void {
  const group = index.get(outer);
  if (group) group.set(inner, value);
  else index.set(outer, new Map([[inner, value]]));
}

function subjectOf({ deviceId, category }: Pick<Sighting, 'deviceId' | 'category'>): string {
  return `${deviceId} ${category}`;
}

function aboutOf({ category, correlationKey }: Pick<IncidentRecord, 'category' | 'correlationKey'>): string {
  return `${category} ${correlationKey}`;
}
