/** Where the service sends notices of a tenant. */
export interface NoticeChannelsTable {
  tenant_id: string;
  channel_id: string;
  name: string;
  kind: string;
  /** Of a channel by mail. */
  address: string | null;
  /** Of all other channels. */
  url_origin: string | null;
  sealed_under: string | null;
  /** JSON object with the URL and the secret, encrypted. */
  sealed_target: Buffer | null;
  /** JSON array. */
  topics: string;
  min_severity: string;
  /** JSON object. */
  quiet_hours: string | null;
  max_per_hour: number;
  status: string;
  version: number;
  created_at: number;
  updated_at: number;
}
