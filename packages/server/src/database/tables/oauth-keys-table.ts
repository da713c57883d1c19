/** Keys of the authorization server, sealed. */
export interface OauthKeysTable {
  key_id: string;
  purpose: string;
  /** The key that sealed it. */
  sealed_under: string;
  sealed_key: Buffer;
  created_at: number;
  active_from: number;
  retired_at: number | null;
}
