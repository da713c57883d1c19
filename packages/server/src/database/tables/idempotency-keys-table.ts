/** First answers, kept for 24 hours to be repeated. Secrets are taken out of an answer before it comes here. */
export interface IdempotencyKeysTable {
  tenant_id: string;
  /** Who used the key: two callers never share one. */
  token_id: string;
  operation_id: string;
  idempotency_key: string;
  request_hash: Uint8Array;
  status: number;
  /** JSON text. */
  answer: string;
  location: string | null;
  created_at: number;
}
