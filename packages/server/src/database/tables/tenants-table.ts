/** A customer. Everything else belongs to one. */
export interface TenantsTable {
  tenant_id: string;
  name: string;
  environment: string;
  /** Null means the service's own limit. */
  rate_limit_per_minute: number | null;
  created_at: number;
  /** How many automatic triages may be under way at once; null means that none is begun. */
  triage_at_once: number | null;
  /** Incidents with an id before this one are left to people: they were there before automatic triage was. */
  triage_since: string | null;
  /** When the tenant is deleted for good. Until then nobody gets in, and it can be taken back. Null: not at all. */
  delete_after: number | null;
}
