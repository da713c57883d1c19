/** Secrets of authenticator apps. */
export interface AccountTotpTable {
  account_id: string;
  /** The key that sealed the secret. */
  key_id: string;
  sealed_secret: Buffer;
  created_at: number;
  /** Null until the first code was entered. */
  confirmed_at: number | null;
  /** The time step of the last accepted code, which is not accepted again. */
  last_step: number | null;
}
