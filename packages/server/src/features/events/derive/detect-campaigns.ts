import type { AlertRecord } from '../../alerts/index.ts';
import type { FeedEvent } from '../../feed/index.ts';
import {
  canJoinIncident,
  type IncidentRecord,
  isUnresolved,
  type MemberKind,
} from '../../incidents/index.ts';
import type { Sighting, ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type { DerivationState } from './derivation-state.ts';
import { campaignMessage } from './incident-texts.ts';
import { addMembers, joinOrOpenIncident } from './open-incidents.ts';

/**
 * Opens or joins a campaign for each indicator of the event that enough devices have seen within the campaign
 * window.
 */
export function detectCampaigns(
  event: FeedEvent,
  parts: {
    threat: ThreatRecord;
    alert: AlertRecord | undefined;
    state: DerivationState;
    settings: DerivationSettings;
  },
): void {
  const { threat, alert, state, settings } = parts;
  // Without indicators the only key is the policy, which all devices share.
  const keys = event.indicators.length === 0 ? [] : event.correlationKeys;
  for (const [index, correlationKey] of keys.entries()) {
    const about = { category: 'campaign', correlationKey } as const;
    const incidents = [...state.incidentsAbout(about)];
    const isRunning = incidents.some((incident) => canJoinIncident(incident, event, settings.campaignMs));
    const newSightings = isRunning ? [] : findCampaign(event, { correlationKey, incidents, state, settings });
    if (newSightings === undefined) continue;

    const message = campaignMessage(event.indicators[index], settings.campaignDevices);
    const incident = joinOrOpenIncident(
      event,
      { ...about, severity: event.severity, message },
      { state, gapMs: settings.campaignMs },
    );
    addMembers(state, incident, [
      ...newSightings.flatMap((sighting): [MemberKind, string][] => [
        ['device', sighting.deviceId],
        ['threat', sighting.threatId],
      ]),
      ['device', event.deviceId],
      ['threat', threat.threatId],
      ...(alert ? [['alert', alert.alertId] satisfies [MemberKind, string]] : []),
    ]);
  }
}

/** Finds sightings on enough devices within one campaign window around the event. */
function findCampaign(
  event: FeedEvent,
  parts: {
    correlationKey: string;
    incidents: readonly IncidentRecord[];
    state: DerivationState;
    settings: DerivationSettings;
  },
): Sighting[] | undefined {
  const { correlationKey, incidents, state, settings } = parts;
  const { campaignMs, campaignDevices } = settings;
  const atMs = event.decidedAtMs;
  // Sightings of a resolved campaign do not count towards the next one.
  const ended = incidents.filter((incident) => !isUnresolved(incident));
  const fromMs = Math.max(atMs - campaignMs, ...ended.map(({ lastEventAtMs }) => lastEventAtMs + 1));
  const sightings = [...state.sightingsOf(correlationKey)]
    .filter(({ lastSeenAtMs }) => lastSeenAtMs >= fromMs && lastSeenAtMs <= atMs + campaignMs)
    .filter(({ threatId }) => state.threat(threatId)?.status !== 'dismissed')
    .sort((a, b) => a.lastSeenAtMs - b.lastSeenAtMs);
  if (countDevices(sightings) < campaignDevices) return undefined;
  const windows = sightings
    .filter(({ lastSeenAtMs }) => lastSeenAtMs <= atMs)
    .map(({ lastSeenAtMs: startMs }) =>
      sightings.filter(
        (other) => other.lastSeenAtMs >= startMs && other.lastSeenAtMs <= startMs + campaignMs,
      ),
    );
  return windows.find((window) => countDevices(window) >= campaignDevices);
}

function countDevices(sightings: readonly Sighting[]): number {
  return new Set(sightings.map((sighting) => sighting.deviceId)).size;
}
