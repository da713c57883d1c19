/** Codes in place of an authenticator app, each for one use. */
export interface AccountRecoveryCodesTable {
  account_id: string;
  code_hash: string;
  used_at: number | null;
}
