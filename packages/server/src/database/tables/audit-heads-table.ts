/** The end and the first kept entry of each tenant's audit chain. Appending an entry locks its row. */
export interface AuditHeadsTable {
  /** Empty for changes that concern no tenant. */
  tenant_id: string;
  /** Position of the newest entry. */
  position: number;
  chain_hash: Uint8Array;
  /** Time of the newest entry. Times never decrease along the chain. */
  occurred_at: number;
  /** When the chain began. Entries from before are not in it. */
  started_at: number;
  /** Position of the last entry that retention has removed; 0 if none. */
  purged_position: number;
  /** Chain hash of that entry; at first the start of the chain. */
  purged_hash: Uint8Array;
}
