/** Privileged changes, each written in the transaction of what it records. */
export interface AuditEntriesTable {
  /** Empty for what concerns no tenant. */
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
}
