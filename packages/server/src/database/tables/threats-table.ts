/** Threats: related events of one device and category. */
export interface ThreatsTable {
  tenant_id: string;
  threat_id: string;
  device_id: string;
  threat_category: string;
  confidence: number;
  severity: string;
  /** Stored status. An `active` threat without recent events is shown as `resolved`. */
  status: string;
  detected_at: number;
  last_seen_at: number;
  description: string | null;
  /** JSON array. */
  indicators: string;
  event_count: number;
}
