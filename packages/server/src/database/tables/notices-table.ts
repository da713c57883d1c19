/** Messages to notice channels: one row per channel and cause. */
export interface NoticesTable {
  tenant_id: string;
  notice_id: string;
  channel_id: string;
  cause: string;
  /** A channel has one notice with this key. */
  cause_key: string;
  severity: string;
  resource_id: string | null;
  message: string;
  happened_at: number;
  state: string;
  /** When it may be claimed; for one that is being sent, when its lease ends. Null when it is settled. */
  due_at: number | null;
  attempts: number;
  /** When it was first claimed: counts for the limit per hour. */
  started_at: number | null;
  last_error: string | null;
  digest_id: string | null;
  created_at: number;
  sent_at: number | null;
}
