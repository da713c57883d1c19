/** The alerts, threats and devices of an incident. */
export interface IncidentMembersTable {
  tenant_id: string;
  incident_id: string;
  /** alert, threat or device. */
  kind: string;
  member_id: string;
}
