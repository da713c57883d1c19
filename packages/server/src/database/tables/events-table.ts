/** The feed. Rows never change. */
export interface EventsTable {
  tenant_id: string;
  position: number;
  event_id: string;
  /** RFC 8785 text of the redacted event, as served, hashed and compared. */
  body: string;
  received_at: number;
  /** When the device decided, as the event states it. */
  timestamp: number;
  device_id: string;
  threat_category: string;
  severity: string;
  /** Threat and alert that the event joined when it arrived. */
  threat_id: string | null;
  alert_id: string | null;
  /** Root event that this one corrects. */
  corrects_event_id: string | null;
  /** SHA-256 of `body`. */
  event_hash: Uint8Array;
  /** SHA-256 of the chain hash before and this event's hash. */
  chain_hash: Uint8Array;
  /** SHA-256 of the request body that the device signed. */
  signed_digest: Uint8Array;
  /** The state of the device's chain: linked, gap, fork, reset or unchained. */
  device_chain: string;
  /** What the filters of lists compare in `body`, as short words. Null: an older version stored the event. */
  filter_keys: string | null;
}
