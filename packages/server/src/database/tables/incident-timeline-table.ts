/** Timeline entries of an incident, except alerts that joined: those are in `incident_members`. */
export interface IncidentTimelineTable {
  tenant_id: string;
  incident_id: string;
  entry_id: string;
  at: number;
  kind: string;
  actor: string;
  message: string;
  /** What a person wrote. `message` repeats it. */
  comment: string | null;
}
