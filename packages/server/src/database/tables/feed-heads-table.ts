/** The end of each tenant's feed. Its row assigns positions without gaps, in commit order. */
export interface FeedHeadsTable {
  tenant_id: string;
  position: number;
  chain_hash: Uint8Array;
  /** Arrival of the newest event. Arrival times never decrease along the feed. */
  received_at: number;
}
