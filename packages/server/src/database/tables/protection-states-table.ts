/** The protection status of a tenant, as its channels know it. */
export interface ProtectionStatesTable {
  tenant_id: string;
  status: string;
  since: number;
  /** When a process last found the status degraded or unprotected. */
  fault_seen_at: number | null;
}
