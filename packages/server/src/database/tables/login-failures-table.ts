/** Failed attempts to sign in, by account and by address. */
export interface LoginFailuresTable {
  key_hash: string;
  failures: number;
  last_at: number;
  blocked_until: number;
}
