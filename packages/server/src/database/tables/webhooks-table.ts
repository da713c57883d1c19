/** Receivers of warn and block events. Secrets are sealed: see `SecretBox`. */
export interface WebhooksTable {
  tenant_id: string;
  webhook_id: string;
  url: string;
  /** JSON array of severities; null for all. */
  severity_filter: string | null;
  status: string;
  disabled_reason: string | null;
  created_at: number;
  updated_at: number;
  secret_key_id: string;
  secret: Uint8Array;
  /** The secret before the last rotation, which also signs until `previous_secret_until`. */
  previous_secret_key_id: string | null;
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  /** Always null: older versions recorded here when the process that holds the key last reported. */
  held_at: number | null;
  /** Whether the service replays dead letters itself when the receiver responds again. */
  auto_replay: number;
}
