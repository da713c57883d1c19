/** First responses, kept for 24 hours for repeated requests. Secrets are removed before a response is stored. */
export interface IdempotencyKeysTable {
  tenant_id: string;
  /** The caller that used the key. Callers never share keys. */
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
