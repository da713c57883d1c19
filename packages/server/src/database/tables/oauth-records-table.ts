/** What the authorization server has issued: codes, tokens, grants, sessions, device codes. */
export interface OauthRecordsTable {
  /** Empty for records that belong to no tenant (yet). */
  tenant_id: string;
  /** Lower-case hex SHA-256 of the model and the id, which is a credential. */
  record_hash: string;
  model: string;
  /** JSON, without the id. */
  payload: string;
  grant_id: string | null;
  uid: string | null;
  user_code_hash: string | null;
  client_id: string | null;
  account_id: string | null;
  created_at: number;
  expires_at: number;
  consumed_at: number | null;
  /** The requester under whose limit the row counts; null if it counts under none. */
  asked_by: string | null;
}
