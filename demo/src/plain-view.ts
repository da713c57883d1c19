import { describeAlert, describeIncident, describeThreat } from './live-view.ts';
import type { Fresh } from './observer.ts';
import { createPainter } from './style.ts';
import type { Outcome } from './wire.ts';

const NO_STYLE = createPainter(false);

/** Says in a line what became of one event: for logs, pipes and terminals that cannot be drawn on. */
export function outcomeLine({ event, status, code }: Outcome): string {
  const what = status === 201 ? 'accepted' : status === 200 ? 'known already' : `refused ${code ?? status}`;
  const { event_id, device_id, threat_category, action_taken, severity } = event;
  return `event     ${event_id}  ${what}  ${threat_category} ${action_taken} ${severity}  ${device_id}`;
}

export function freshLines({ alerts, threats, incidents }: Fresh): string[] {
  return [
    ...alerts.map((alert) => `alert     ${describeAlert(alert, NO_STYLE)}`),
    ...threats.map((threat) => `threat    ${describeThreat(threat, NO_STYLE)}`),
    ...incidents.map((incident) => `incident  ${describeIncident(incident, NO_STYLE)}`),
  ];
}
