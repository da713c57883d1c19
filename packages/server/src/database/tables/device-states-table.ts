/** What moves with each request of a device. Apart from `devices`, so that a changed device is never overwritten. */
export interface DeviceStatesTable {
  tenant_id: string;
  device_id: string;
  last_seen_at: number;
  /** The device's own chain: its last sequence number and the hash of its last event, as it sent it. */
  sequence: number | null;
  event_hash: Uint8Array | null;
}
