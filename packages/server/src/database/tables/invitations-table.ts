/** Links with which people join a tenant. */
export interface InvitationsTable {
  tenant_id: string;
  invitation_id: string;
  /** Lower-case hex SHA-256 of the link's secret. */
  token_hash: string;
  /** The same for the secret that only the mailed link has; null if the invitation names no address. */
  proof_hash: string | null;
  /** The only address that may accept; null for any. */
  email: string | null;
  role: string;
  created_at: number;
  created_by: string;
  expires_at: number;
  accepted_at: number | null;
  accepted_by: string | null;
  revoked_at: number | null;
}
