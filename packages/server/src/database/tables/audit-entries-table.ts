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
}
