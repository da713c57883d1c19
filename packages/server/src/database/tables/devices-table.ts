/** Registered devices and the key that each signs with. */
export interface DevicesTable {
  tenant_id: string;
  device_id: string;
  platform: string;
  status: string;
  /** DER SubjectPublicKeyInfo. */
  public_key: Uint8Array;
  agent_version: string | null;
  name: string | null;
  registered_at: number;
  revoked_at: number | null;
  /** Rises with each change of key or status; a cached key is good for one version. */
  version: number;
}
