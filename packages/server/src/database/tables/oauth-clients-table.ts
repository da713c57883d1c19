/** OAuth clients of tenants. A deleted client has no row. */
export interface OauthClientsTable {
  tenant_id: string;
  client_id: string;
  name: string;
  uri: string | null;
  /** JSON array. */
  redirect_uris: string;
  /** JSON array. */
  grant_types: string;
  /** How it authenticates at the token endpoint. */
  auth_method: string;
  /** JSON array: the most that its tokens can have. */
  scopes: string;
  /** JSON: its public keys, for `private_key_jwt`. */
  jwks: string | null;
  /** Lower-case hex SHA-256. */
  secret_hash: string | null;
  secret_hint: string | null;
  previous_secret_hash: string | null;
  previous_secret_until: number | null;
  refresh_grace_s: number;
  created_at: number;
  created_by: string;
  updated_at: number;
  last_used_at: number | null;
  version: number;
}
