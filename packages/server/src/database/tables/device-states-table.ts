/** What changes with each request of a device. Separate from `devices`, so that a change of the device is never overwritten. */
export interface DeviceStatesTable {
  tenant_id: string;
  device_id: string;
  last_seen_at: number;
  /** The device's chain: its last sequence number and the hash of its last event, as sent. */
  sequence: number | null;
  event_hash: Uint8Array | null;
  /** Arrival of its last new event. */
  last_event_at: number | null;
}
