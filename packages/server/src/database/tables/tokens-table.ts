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
  /** The OAuth client that an access token was issued to. Null for other credentials, like the columns below. */
  client_id: string | null;
  /** The grant that the token rests on, or the session for a token of the console; null for the client credentials grant. */
  grant_id: string | null;
  /** The person who granted it; null for the client credentials grant. */
  account_id: string | null;
  /** SHA-256 thumbprint of the key that requests must prove (DPoP); null for a bearer token. */
  key_thumbprint: string | null;
  /** When the person last proved who they are. Only for clients of the service itself. */
  authenticated_at: number | null;
}
