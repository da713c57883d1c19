/** Passkeys (WebAuthn credentials). */
export interface AccountPasskeysTable {
  /** Base64url. */
  credential_id: string;
  account_id: string;
  /** COSE key. */
  public_key: Buffer;
  counter: number;
  /** JSON array. */
  transports: string;
  name: string;
  created_at: number;
  used_at: number | null;
}
