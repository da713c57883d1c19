/** Alerts that belong together and need a person. */
export interface IncidentsTable {
  tenant_id: string;
  incident_id: string;
  category: string;
  /** What makes events belong to it: a device, or an indicator. */
  correlation_key: string;
  severity: string;
  status: string;
  message: string;
  resolution: string | null;
  assignee: string | null;
  /** JSON array. */
  tags: string;
  version: number;
  created_at: number;
  updated_at: number;
  /** `timestamp` of the newest event that joined. */
  last_event_at: number;
}
