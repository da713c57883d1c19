import { SEVERITIES } from '@tps/contract';
import { type CountedFeed, SETTINGS, type Views } from './feed-model.ts';

/**
 * Checks invariants of derived views that hold for any feed, written from the contract and independent of the
 * derivation code. Returns the violations as texts.
 */
export function brokenInvariants(views: Views, counted: readonly CountedFeed[]): string[] {
  return [
    ...brokenLinks(views, counted),
    ...brokenThreats(views, counted),
    ...brokenAlerts(views, counted),
    ...brokenIncidents(views),
  ];
}

function isAlerting({ action, severity }: CountedFeed['event']): boolean {
  return action === 'block' || (action === 'warn' && (severity === 'high' || severity === 'critical'));
}

function brokenLinks(views: Views, counted: readonly CountedFeed[]): string[] {
  return counted.flatMap(({ event, links }) => {
    const { eventId, action } = event;
    const ofEvent = views.alerts.filter((alert) => alert.eventIds.includes(eventId));
    const expected = isAlerting(event) ? 1 : 0;
    return [
      ...((links.threatId !== null) === (action !== 'allow') ? [] : [`${eventId}: ${action} and its threat`]),
      ...(ofEvent.length === expected ? [] : [`${eventId} is in ${ofEvent.length} alerts, not ${expected}`]),
      ...(ofEvent.every(({ alertId }) => alertId === links.alertId)
        ? []
        : [`${eventId} is in another's alert`]),
    ];
  });
}

function brokenThreats(views: Views, counted: readonly CountedFeed[]): string[] {
  return views.threats.flatMap((threat) => {
    const own = counted.filter(({ links }) => links.threatId === threat.threatId).map((c) => c.event);
    const times = own.map((event) => event.decidedAtMs);
    const ranks = own.map((event) => SEVERITIES.indexOf(event.severity));
    const problems: [string, boolean][] = [
      ['counts its events', threat.eventCount === own.length],
      ['is dismissed without events', own.length > 0 || threat.status === 'dismissed'],
      [
        'is of one device and category',
        own.every(({ deviceId, category }) => deviceId === threat.deviceId && category === threat.category),
      ],
      [
        'has the highest severity',
        own.length === 0 || SEVERITIES.indexOf(threat.severity) === Math.max(...ranks),
      ],
      [
        'has the highest confidence',
        own.length === 0 || threat.confidence === Math.max(...own.map((event) => event.confidence)),
      ],
      [
        'spans exactly its events, within the limit',
        own.length === 0 ||
          (threat.detectedAtMs === Math.min(...times) &&
            threat.lastSeenAtMs === Math.max(...times) &&
            threat.lastSeenAtMs - threat.detectedAtMs <= SETTINGS.threat.spanMs),
      ],
      [
        'has the indicators of its events',
        own.length === 0 ||
          [...new Set(own.flatMap(({ indicators }) => indicators))].sort().join() ===
            threat.indicators.toSorted().join(),
      ],
    ];
    return problems.filter(([, holds]) => !holds).map(([what]) => `${threat.threatId} no longer ${what}`);
  });
}

function brokenAlerts(views: Views, counted: readonly CountedFeed[]): string[] {
  return views.alerts.flatMap((alert) => {
    const own = counted.filter(({ links }) => links.alertId === alert.alertId).map((c) => c.event);
    const incident = views.incidents.find(({ incidentId }) => incidentId === alert.incidentId);
    const isOver = incident?.status === 'resolved' || incident?.status === 'closed';
    const distances = own.map(({ decidedAtMs }) => Math.abs(decidedAtMs - alert.firstEventAtMs));
    const problems: [string, boolean][] = [
      ['is resolved only by a person or a correction', alert.status === 'open' || isOver || own.length === 0],
      ['is resolved when no event counts', own.length > 0 || alert.status === 'resolved'],
      ['joins events within its window', distances.every((ms) => ms <= SETTINGS.alertMergeMs)],
      [
        'is of one device and category',
        own.every(({ deviceId, category }) => deviceId === alert.deviceId && category === alert.category),
      ],
      ['stands alone without indicators', alert.mergeKey !== null || own.length <= 1],
    ];
    return problems.filter(([, holds]) => !holds).map(([what]) => `${alert.alertId} no longer ${what}`);
  });
}

function brokenIncidents(views: Views): string[] {
  return views.incidents.flatMap((incident) => {
    const own = views.members.filter((member) => member.incidentId === incident.incidentId);
    const idsOf = (kind: string) =>
      own.filter((member) => member.kind === kind).map((member) => member.memberId);
    const alertsOf = views.alerts.filter(({ incidentId }) => incidentId === incident.incidentId);
    const isOfDevice = !['campaign', 'device_integrity'].includes(incident.category);
    const opened = views.timeline.filter(
      (entry) => entry.incidentId === incident.incidentId && entry.kind === 'opened',
    );
    const problems: [string, boolean][] = [
      [
        'lists exactly the alerts that name it',
        !isOfDevice ||
          idsOf('alert').sort().join() ===
            alertsOf
              .map(({ alertId }) => alertId)
              .sort()
              .join(),
      ],
      ['is of one device', incident.category === 'campaign' || idsOf('device').length === 1],
      [
        'is a campaign of enough devices',
        incident.category !== 'campaign' || idsOf('device').length >= SETTINGS.campaignDevices,
      ],
      ['was opened once', opened.length === 1],
    ];
    return problems
      .filter(([, holds]) => !holds)
      .map(([what]) => `${incident.incidentId} (${incident.category}) no longer ${what}`);
  });
}
