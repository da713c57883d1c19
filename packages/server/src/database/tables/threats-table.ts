/** What related events of one device and category add up to. */
export interface ThreatsTable {
  tenant_id: string;
  threat_id: string;
  device_id: string;
  threat_category: string;
  confidence: number;
  severity: string;
  /** Stored status; an `active` threat that has been quiet for long reads as `resolved`. */
  status: string;
  detected_at: number;
  last_seen_at: number;
  description: string | null;
  /** JSON array. */
  indicators: string;
  event_count: number;
}
