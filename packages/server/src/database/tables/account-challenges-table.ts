/** What a person has begun and must complete soon: a sign-in, a passkey, a password reset. Deleted when used. */
export interface AccountChallengesTable {
  challenge_hash: string;
  kind: string;
  account_id: string | null;
  /** JSON. */
  payload: string;
  created_at: number;
  expires_at: number;
  /** Whose share of the table it takes; null if it takes none. */
  asked_by: string | null;
}
