/** Nonces of accepted request signatures, kept while such a signature could still be replayed. */
export interface RequestNoncesTable {
  tenant_id: string;
  /** `created` of the signature divided by the bucket width: old buckets are dropped whole. */
  bucket: number;
  device_id: string;
  nonce: string;
}
