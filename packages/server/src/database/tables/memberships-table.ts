/** Which account belongs to which tenant, and its role there. */
export interface MembershipsTable {
  tenant_id: string;
  account_id: string;
  role: string;
  created_at: number;
  /** Id of the inviting account or token, or `command_line`. */
  created_by: string;
}
