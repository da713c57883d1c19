/** Credentials, stored only as SHA-256: tokens, the credentials of devices, and enrolment secrets. */
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
  /** The device that a device credential is bound to. */
  device_id: string | null;
  /** How many devices an enrolment secret registers. Null for other credentials. */
  max_uses: number | null;
  /** How many devices an enrolment secret has registered. */
  uses: number | null;
}
