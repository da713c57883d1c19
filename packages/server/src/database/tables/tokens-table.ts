/** Credentials, stored only as SHA-256. */
export interface TokensTable {
  /** Empty for operator credentials, which belong to no tenant. */
  tenant_id: string;
  token_id: string;
  /** Lower-case hex SHA-256 of the credential. */
  token_hash: string;
  name: string;
  /** JSON array of scopes. */
  scopes: string;
  environment: string;
  hint: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}
