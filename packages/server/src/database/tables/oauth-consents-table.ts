/** The scopes that a person has allowed a client. */
export interface OauthConsentsTable {
  tenant_id: string;
  account_id: string;
  client_id: string;
  /** JSON array. */
  scopes: string;
  granted_at: number;
  /** The version of the client that the person saw last. Null if an older version of the service stored the consent. */
  client_version: number | null;
  /** JSON array: those of the scopes that the person has allowed that version. */
  version_scopes: string | null;
}
