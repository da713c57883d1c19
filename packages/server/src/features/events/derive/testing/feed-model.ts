import type { Resolution } from '@tps/contract';
import type { AlertRecord } from '../../../alerts/index.ts';
import type { FeedEvent } from '../../../feed/index.ts';
import type { IncidentMember, IncidentRecord, TimelineRecord } from '../../../incidents/index.ts';
import type { Sighting, ThreatRecord } from '../../../threats/index.ts';
import type { DerivationSettings } from '../derivation-settings.ts';
import type { DerivationContext, DerivedChanges } from '../derivation-state.ts';
import { type DerivedLinks, derive } from '../derive.ts';
import { deriveCorrection } from '../derive-correction.ts';

/** Everything derived from a feed, each list ordered by its keys. */
export interface Views {
  readonly threats: ThreatRecord[];
  readonly sightings: Sighting[];
  readonly alerts: AlertRecord[];
  readonly incidents: IncidentRecord[];
  readonly members: IncidentMember[];
  /** Only entries that the service itself wrote. */
  readonly timeline: TimelineRecord[];
}

/** An event that counts among a root event and its corrections, with its links. */
export interface CountedFeed {
  readonly event: FeedEvent;
  readonly links: DerivedLinks;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const SETTINGS: DerivationSettings = {
  threat: { gapMs: 24 * HOUR_MS, spanMs: 7 * 24 * HOUR_MS },
  alertMergeMs: 15 * MINUTE_MS,
  incidentGapMs: 24 * HOUR_MS,
  campaignDevices: 3,
  campaignMs: 24 * HOUR_MS,
};

/** Derives a feed one event at a time with all state in memory: slow, but independent of what is loaded. */
export class FeedModel {
  readonly #threats = new Map<string, ThreatRecord>();
  readonly #sightings = new Map<string, Sighting>();
  readonly #alerts = new Map<string, AlertRecord>();
  readonly #incidents = new Map<string, IncidentRecord>();
  readonly #members = new Map<string, IncidentMember>();
  readonly #timeline = new Map<string, TimelineRecord>();
  /** By root event. */
  readonly #counted = new Map<string, CountedFeed>();
  /** The last alert of each root event. */
  readonly #lastAlerts = new Map<string, string>();
  /** Incidents that people have changed. */
  readonly #handled = new Set<string>();

  add(event: FeedEvent, rootId: string | null): DerivedLinks {
    const context: DerivationContext = {
      threats: [...this.#threats.values()],
      sightings: [...this.#sightings.values()],
      alerts: [...this.#alerts.values()],
      incidents: [...this.#incidents.values()],
    };
    const { changes, links } =
      rootId === null
        ? onlyOne(derive([event], context, SETTINGS))
        : deriveCorrection(event, this.#replaced(rootId), { context, settings: SETTINGS });
    this.#apply(changes);
    this.#counted.set(rootId ?? event.eventId, { event, links });
    if (links.alertId !== null) this.#lastAlerts.set(rootId ?? event.eventId, links.alertId);
    return links;
  }

  /** The effects of resolving an incident. */
  resolve(incidentId: string, { resolution, nowMs }: { resolution: Resolution; nowMs: number }): void {
    const incident = mustGet(this.#incidents, incidentId);
    const version = incident.version + 1;
    this.#handled.add(incidentId);
    this.#incidents.set(incidentId, {
      ...incident,
      status: 'resolved',
      resolution,
      version,
      updatedAtMs: nowMs,
      acknowledgedAtMs: incident.acknowledgedAtMs ?? nowMs,
      resolvedAtMs: nowMs,
      firstResolvedAtMs: incident.firstResolvedAtMs ?? nowMs,
    });
    for (const alert of this.#alerts.values()) {
      if (alert.incidentId !== incidentId || alert.status !== 'open') continue;
      this.#alerts.set(alert.alertId, { ...alert, status: 'resolved', updatedAtMs: nowMs });
    }
    const status = { true_positive: 'resolved', false_positive: 'dismissed' } as const;
    if (resolution !== 'true_positive' && resolution !== 'false_positive') return;
    for (const member of this.#members.values()) {
      if (member.incidentId !== incidentId || member.kind !== 'threat') continue;
      const threat = mustGet(this.#threats, member.memberId);
      if (threat.status !== 'dismissed')
        this.#threats.set(threat.threatId, { ...threat, status: status[resolution] });
    }
  }

  counted(): CountedFeed[] {
    return [...this.#counted.values()];
  }

  views(): Views {
    return {
      threats: byKey(this.#threats),
      sightings: byKey(this.#sightings),
      alerts: byKey(this.#alerts),
      incidents: byKey(this.#incidents),
      members: byKey(this.#members),
      timeline: byKey(this.#timeline),
    };
  }

  #replaced(rootId: string) {
    const { event: effective, links } = mustGet(this.#counted, rootId);
    const others = this.counted()
      .filter((other) => other.event !== effective)
      .sort((a, b) => a.event.decidedAtMs - b.event.decidedAtMs || a.event.position - b.event.position);
    const threat = links.threatId === null ? undefined : this.#threats.get(links.threatId);
    const alert = links.alertId === null ? undefined : this.#alerts.get(links.alertId);
    const incidentId = this.#alerts.get(this.#lastAlerts.get(rootId) ?? '')?.incidentId ?? '';
    return {
      effective,
      threat,
      othersOfThreat: threat
        ? others.filter((other) => other.links.threatId === threat.threatId).map(({ event }) => event)
        : [],
      alert,
      othersOfAlert: alert
        ? others.filter((other) => other.links.alertId === alert.alertId).map(({ event }) => event)
        : [],
      incident: this.#incidents.get(incidentId),
      isHandled: this.#handled.has(incidentId),
      hasOtherSevereAlert: [...this.#alerts.values()].some(
        (other) =>
          other.incidentId === incidentId &&
          other.alertId !== alert?.alertId &&
          other.status === 'open' &&
          ['high', 'critical'].includes(other.severity),
      ),
    };
  }

  #apply(changes: DerivedChanges): void {
    for (const threat of changes.threats) this.#threats.set(threat.threatId, threat);
    for (const sighting of changes.sightings) this.#sightings.set(sightingKey(sighting), sighting);
    for (const alert of changes.alerts) this.#alerts.set(alert.alertId, alert);
    for (const incident of changes.incidents) this.#incidents.set(incident.incidentId, incident);
    for (const member of changes.members) this.#members.set(memberKey(member), member);
    for (const entry of changes.timeline) this.#timeline.set(`${entry.incidentId} ${entry.entryId}`, entry);
  }
}

export function sightingKey({ correlationKey, deviceId, category }: Sighting): string {
  return `${correlationKey} ${deviceId} ${category}`;
}

export function memberKey({ incidentId, kind, memberId }: IncidentMember): string {
  return `${incidentId} ${kind} ${memberId}`;
}

function onlyOne({ changes, links: [links] }: ReturnType<typeof derive>) {
  if (!links) throw new Error('derive returned no links for an event');
  return { changes, links };
}

function byKey<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function mustGet<Value>(values: ReadonlyMap<string, Value>, key: string): Value {
  const value = values.get(key);
  if (value === undefined) throw new Error(`the model has no ${key}`);
  return value;
}
