/** Decisions that deserve attention. */
export interface AlertsTable {
  tenant_id: string;
  alert_id: string;
  device_id: string;
  threat_category: string;
  severity: string;
  title: string;
  status: string;
  /** JSON array, oldest first, bounded. */
  event_ids: string;
  threat_id: string;
  incident_id: string | null;
  /** Digest of device, category, policy and indicators; null if no other event may join. */
  merge_key: string | null;
  /** `timestamp` of the first event, where the merge window starts. */
  first_event_at: number;
  created_at: number;
  updated_at: number;
}
