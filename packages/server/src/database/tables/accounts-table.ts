/** People. They belong to tenants through memberships. */
export interface AccountsTable {
  account_id: string;
  /** As typed, for display. */
  email: string;
  /** Normalized: unique among all accounts. */
  email_key: string;
  /** When someone first proved that the address is theirs; null if it is unverified. */
  email_verified_at: number | null;
  name: string;
  /** Argon2id in PHC form; null without a password. */
  password_hash: string | null;
  created_at: number;
  password_changed_at: number | null;
  disabled_at: number | null;
}
