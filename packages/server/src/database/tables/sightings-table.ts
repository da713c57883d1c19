/** Where an indicator was last seen: finds the threat that an event joins, and indicators on many devices. */
export interface SightingsTable {
  tenant_id: string;
  /** Truncated SHA-256, in base64url, of the indicator, or of the policy for events without any. */
  correlation_key: string;
  device_id: string;
  threat_category: string;
  threat_id: string;
  last_seen_at: number;
}
