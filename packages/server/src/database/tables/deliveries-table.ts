/** Deliveries of events to webhooks, kept for a while after they succeeded or failed. */
export interface DeliveriesTable {
  tenant_id: string;
  webhook_id: string;
  delivery_id: string;
  event_id: string;
  /** The sample event of a test delivery. Null for an event of the feed, whose body is in `events`. */
  test_body: string | null;
  status: string;
  /** When it may be claimed: the next attempt or, during an attempt, the end of its lease. Null when it is finished. */
  due_at: number | null;
  /** The process that holds the lease. */
  leased_by: string | null;
  /** Number of claims. Distinguishes leases, and never returns to a number that a receiver may have seen. */
  claims: number;
  /** Attempts since the delivery was created or replayed. */
  attempts: number;
  created_at: number;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  last_response: string | null;
  last_duration_ms: number | null;
  /** When it became a dead letter. Not cleared while the dead letter is replayed. */
  dead_at: number | null;
  /** `waiting`: a dead letter that the service replays itself; `running`: it does so now. Null for all others. */
  replay: string | null;
}
