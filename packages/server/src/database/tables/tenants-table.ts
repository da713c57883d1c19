/** A customer. Everything else belongs to one. */
export interface TenantsTable {
  tenant_id: string;
  name: string;
  environment: string;
  /** Null means the service's own limit. */
  rate_limit_per_minute: number | null;
  created_at: number;
}
