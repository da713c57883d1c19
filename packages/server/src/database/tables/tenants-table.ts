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
  /** When the deletion that an admin has requested begins; null if none. Until then the tenant works as before. */
  deletion_due_at: number | null;
  /** Kind and id of who requested it, such as `account acc_0123`. */
  deletion_requested_by: string | null;
}
