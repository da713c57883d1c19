/** Privileged changes. Each row is written in the transaction of its change. */
export interface AuditEntriesTable {
  /** Empty for changes that concern no tenant. */
  tenant_id: string;
  audit_id: string;
  occurred_at: number;
  actor_type: string;
  actor_id: string;
  action: string;
  resource_type: string;
  resource_id: string;
  outcome: string;
  request_id: string | null;
  detail: string;
  /** JSON object. */
  fields: string;
  /** Place in the tenant's chain, without gaps. Null for entries of versions before the chain. */
  position: number | null;
  /** SHA-256 of the chain hash before and this entry's hash. */
  chain_hash: Uint8Array | null;
}
