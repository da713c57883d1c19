/** What a person has begun and must complete soon: a sign-in, a passkey, a password reset. Deleted when used. */
export interface AccountChallengesTable {
  challenge_hash: string;
  kind: string;
  account_id: string | null;
  /** JSON. */
  payload: string;
  created_at: number;
  expires_at: number;
  /** The requester under whose limit the row counts; null if it counts under none. */
  asked_by: string | null;
}
