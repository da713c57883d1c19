/** Which account a person of an OpenID provider uses. */
export interface SignOnIdentitiesTable {
  tenant_id: string;
  issuer: string;
  subject: string;
  account_id: string;
  created_at: number;
  used_at: number;
}
