import { isBroken, isHarmful, type Observation, toObservations } from './case-event.ts';
import type { CaseFile, CaseIncident } from './case-file.ts';

/** The events behind an incident of the case. */
export interface IncidentObservations {
  readonly observations: readonly Observation[];
  /** Those that currently warn or block. */
  readonly harmful: readonly Observation[];
  /** Those that only warned, so that the outcome is not known. */
  readonly onlyWarned: readonly Observation[];
}

/** Returns a function that finds the events of the case that raised an incident. */
export function observationsByIncident(file: CaseFile): (incident: CaseIncident) => IncidentObservations {
  const all = toObservations(file.events);
  return (incident) => {
    const alertIds = new Set(
      file.alerts.flatMap((alert) => (alert.incidentId === incident.incidentId ? [alert.alertId] : [])),
    );
    const threatIds = new Set(incident.threatIds);
    const isOf = {
      byAlert: ({ root, current }: Observation) =>
        [root, current].some(({ alertId }) => alertId !== null && alertIds.has(alertId)),
      byThreat: ({ root, current }: Observation) =>
        [root, current].some(({ threatId }) => threatId !== null && threatIds.has(threatId)),
      byChain: ({ root }: Observation) => incident.deviceIds.includes(root.deviceId) && isBroken(root),
    };
    const observations = all.filter((observation) => {
      if (incident.category === 'device_integrity') return isOf.byChain(observation);
      return incident.category === 'campaign' ? isOf.byThreat(observation) : isOf.byAlert(observation);
    });
    const harmful = observations.filter(isHarmful);
    return {
      observations,
      harmful,
      onlyWarned: harmful.filter(({ current }) => current.action !== 'block'),
    };
  };
}
