/** Moments of an incident other than alerts joining, which `incident_members` tells. */
export interface IncidentTimelineTable {
  tenant_id: string;
  incident_id: string;
  entry_id: string;
  at: number;
  kind: string;
  actor: string;
  message: string;
}
