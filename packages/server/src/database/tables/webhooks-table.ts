/** Where warn and block events are pushed to. Secrets are sealed: see `SecretBox`. */
export interface WebhooksTable {
  tenant_id: string;
  webhook_id: string;
  url: string;
  /** JSON array of severities; null lets all pass. */
  severity_filter: string | null;
  status: string;
  disabled_reason: string | null;
  created_at: number;
  updated_at: number;
  secret_key_id: string;
  secret: Uint8Array;
  /** The secret before the last rotation, which goes on signing until `previous_secret_until`. */
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  /** When the process that holds the key in its memory was last heard of; null under a master key. */
  held_at: number | null;
}
