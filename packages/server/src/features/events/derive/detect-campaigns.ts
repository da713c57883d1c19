import type { AlertRecord } from '../../alerts/index.ts';
import type { Decision } from '../../feed/index.ts';
import {
  canJoinIncident,
  type IncidentRecord,
  isUnresolved,
  type MemberKind,
} from '../../incidents/index.ts';
import type { Sighting, ThreatRecord } from '../../threats/index.ts';
import type { DerivationSettings } from './derivation-settings.ts';
import type { Draft } from './derivation-state.ts';
import { addMembers, joinOrOpen } from './open-incidents.ts';

/** Tells of each indicator of the event that enough devices have seen within the campaign window. */
export function noteCampaigns(
  decision: Decision,
  parts: { threat: ThreatRecord; alert: AlertRecord | undefined; draft: Draft; settings: DerivationSettings },
): void {
  const { threat, alert, draft, settings } = parts;
  // Without indicators the only key is the policy, which all devices share.
  const keys = decision.indicators.length === 0 ? [] : decision.correlationKeys;
  for (const [index, correlationKey] of keys.entries()) {
    const about = { category: 'campaign', correlationKey } as const;
    const incidents = [...draft.incidentsAbout(about)];
    const isRunning = incidents.some((incident) => canJoinIncident(incident, decision, settings.campaignMs));
    const told = isRunning ? [] : findCampaign(decision, { correlationKey, incidents, draft, settings });
    if (told === undefined) continue;

    const message = `Indicator ${decision.indicators[index]} seen on ${settings.campaignDevices} or more devices`;
    const incident = joinOrOpen(
      decision,
      { ...about, severity: decision.severity, message },
      { draft, gapMs: settings.campaignMs },
    );
    addMembers(draft, incident, [
      ...told.flatMap((sighting): [MemberKind, string][] => [
        ['device', sighting.deviceId],
        ['threat', sighting.threatId],
      ]),
      ['device', decision.deviceId],
      ['threat', threat.threatId],
      ...(alert ? [['alert', alert.alertId] satisfies [MemberKind, string]] : []),
    ]);
  }
}

/** Finds sightings on enough devices within one campaign window around the event. */
function findCampaign(
  decision: Decision,
  parts: {
    correlationKey: string;
    incidents: readonly IncidentRecord[];
    draft: Draft;
    settings: DerivationSettings;
  },
): Sighting[] | undefined {
  const { correlationKey, incidents, draft, settings } = parts;
  const { campaignMs, campaignDevices } = settings;
  const atMs = decision.decidedAtMs;
  // What a resolved campaign has already told does not count towards the next.
  const ended = incidents.filter((incident) => !isUnresolved(incident));
  const fromMs = Math.max(atMs - campaignMs, ...ended.map(({ lastEventAtMs }) => lastEventAtMs + 1));
  const sightings = [...draft.sightingsOf(correlationKey)]
    .filter(({ lastSeenAtMs }) => lastSeenAtMs >= fromMs && lastSeenAtMs <= atMs + campaignMs)
    .filter(({ threatId }) => draft.threat(threatId)?.status !== 'dismissed')
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
