/** Policies: the action that devices take for a threat. */
export interface PoliciesTable {
  tenant_id: string;
  policy_id: string;
  name: string;
  /** JSON array. */
  threat_categories: string;
  action: string;
  confidence_threshold: number | null;
  /** 0 or 1. */
  enabled: number;
  version: number;
  created_at: number;
  updated_at: number;
  archived_at: number | null;
}
