/** Customers. Everything else belongs to one of them. */
export interface TenantsTable {
  tenant_id: string;
  name: string;
  environment: string;
  /** Null for the service's default limit. */
  rate_limit_per_minute: number | null;
  created_at: number;
  /** The most automatic triages at the same time; null if automatic triage is off. */
  triage_at_once: number | null;
  /** Incidents with an earlier id are not triaged automatically: they are older than the setting. */
  triage_since: string | null;
  /** When the tenant is deleted permanently; null if it is not being deleted. Until then access is blocked and the deletion can be undone. */
  delete_after: number | null;
}
