/** Nonces of accepted request signatures, kept while a signature could still be replayed. */
export interface RequestNoncesTable {
  tenant_id: string;
  /** `created` of the signature divided by the bucket width. Old buckets are deleted as a whole. */
  bucket: number;
  device_id: string;
  nonce: string;
}
