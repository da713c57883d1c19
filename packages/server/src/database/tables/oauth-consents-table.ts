/** The scopes that a person has allowed a client. */
export interface OauthConsentsTable {
  tenant_id: string;
  account_id: string;
  client_id: string;
  /** JSON array. */
  scopes: string;
  granted_at: number;
}
