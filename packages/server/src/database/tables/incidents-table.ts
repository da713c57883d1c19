/** Groups of related alerts that a person handles. */
export interface IncidentsTable {
  tenant_id: string;
  incident_id: string;
  category: string;
  /** What its events have in common: a device or an indicator. */
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
  /** When a person first assigned it or changed its status. */
  acknowledged_at: number | null;
  /** When it was last resolved or closed. */
  resolved_at: number | null;
  /** When it was resolved or closed for the first time. Not cleared when it is opened again. */
  first_resolved_at: number | null;
}
