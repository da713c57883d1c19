/** Events on their way to webhooks, kept for a while after they arrived or failed. */
export interface DeliveriesTable {
  tenant_id: string;
  webhook_id: string;
  delivery_id: string;
  event_id: string;
  /** Of a test: the made-up event. Null for an event of the feed, which is read there. */
  test_body: string | null;
  status: string;
  /** When it may be claimed: the next attempt or, while one is under way, the end of its lease. Null when it is over. */
  due_at: number | null;
  /** The process that holds the lease. */
  leased_by: string | null;
  /** How often it was claimed. Tells leases apart, and never goes back to what a receiver may have seen. */
  claims: number;
  /** Attempts since it was last started. */
  attempts: number;
  created_at: number;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  last_response: string | null;
  last_duration_ms: number | null;
  /** When it became a dead letter. Stays while that is replayed. */
  dead_at: number | null;
}
