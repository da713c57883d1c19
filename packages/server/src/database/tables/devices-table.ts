/** Registered devices and their public keys. */
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
  /** Increases with each change of key or status. A cached key is valid for one version. */
  version: number;
}
