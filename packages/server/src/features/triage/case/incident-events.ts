import { type Finding, findingsOf, isBroken, isHarmful } from './case-event.ts';
import type { CaseFile, CaseIncident } from './case-file.ts';

/** What an incident of the case rests on. */
export interface IncidentFindings {
  readonly findings: readonly Finding[];
  /** Those that count and were not let through. */
  readonly harmful: readonly Finding[];
  /** Whether some of these only warned: what came after is not known. */
  readonly onlyWarned: readonly Finding[];
}

/** Picks the events of the case that raised this incident. */
export function findingsOfIncident(file: CaseFile, incident: CaseIncident): IncidentFindings {
  const alertIds = new Set(
    file.alerts.flatMap((alert) => (alert.incidentId === incident.incidentId ? [alert.alertId] : [])),
  );
  const isOf = {
    byAlert: ({ root, current }: Finding) =>
      [root, current].some(({ alertId }) => alertId !== null && alertIds.has(alertId)),
    byThreat: ({ root, current }: Finding) =>
      [root, current].some(({ threatId }) => threatId !== null && incident.threatIds.includes(threatId)),
    byChain: ({ root }: Finding) => incident.deviceIds.includes(root.deviceId) && isBroken(root),
  };
  const findings = findingsOf(file.events).filter((finding) => {
    if (incident.category === 'device_integrity') return isOf.byChain(finding);
    return incident.category === 'campaign' ? isOf.byThreat(finding) : isOf.byAlert(finding);
  });
  const harmful = findings.filter(isHarmful);
  return { findings, harmful, onlyWarned: harmful.filter(({ current }) => current.action !== 'block') };
}
