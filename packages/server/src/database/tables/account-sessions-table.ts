/** Signed-in browsers. A session that ends is deleted. */
export interface AccountSessionsTable {
  /** Lower-case hex SHA-256 of the cookie. */
  session_hash: string;
  /** Public id, for lists. */
  session_id: string;
  account_id: string;
  created_at: number;
  /** Written at most once a minute. */
  seen_at: number;
  /** When the person last proved who they are. */
  authenticated_at: number;
  /** JSON array: how they did. */
  methods: string;
  user_agent: string;
  address: string;
  /** The only tenant that the session reaches; null for one that the person began with proofs of their own. */
  tenant_id: string | null;
  /** The absolute end. */
  expires_at: number;
}
