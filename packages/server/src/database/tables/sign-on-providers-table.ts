/** The OpenID provider of a tenant. */
export interface SignOnProvidersTable {
  tenant_id: string;
  issuer: string;
  client_id: string;
  sealed_under: string | null;
  sealed_secret: Buffer | null;
  /** JSON array. */
  allowed_domains: string;
  role_claim: string | null;
  /** JSON array of values of the claim with their roles. */
  role_map: string;
  default_role: string | null;
  create_members: number;
  is_required: number;
  trusts_email: number;
  /** JSON array. */
  extra_scopes: string;
  created_at: number;
  updated_at: number;
  updated_by: string;
}
