/** The end of each tenant's feed: hands out positions without a gap, in commit order. */
export interface FeedHeadsTable {
  tenant_id: string;
  position: number;
  chain_hash: Uint8Array;
  /** Arrival of the newest event; arrivals never run backwards along the feed. */
  received_at: number;
}
