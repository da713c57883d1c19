/** The places of events that were erased on request. They keep the hash chain of the feed verifiable. */
export interface ErasedEventsTable {
  tenant_id: string;
  position: number;
  /** Truncated SHA-256 of the event's id, in base64url: recognizes the event when its device repeats it. */
  event_key: string;
  received_at: number;
  /** SHA-256 of the erased text. */
  event_hash: Uint8Array;
  chain_hash: Uint8Array;
  /** The data request that erased it. */
  request_id: string;
}
