/** What belongs to an incident: alerts, threats and devices. */
export interface IncidentMembersTable {
  tenant_id: string;
  incident_id: string;
  /** alert, threat or device. */
  kind: string;
  member_id: string;
}
