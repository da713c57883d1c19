/** Webhooks whose receiver has failed to respond, and the replay of their dead letters. No row: closed. */
export interface WebhookCircuitsTable {
  tenant_id: string;
  webhook_id: string;
  /** `open` until the next probe, `half_open` during a probe or a replay. */
  state: string;
  /** When the next probe is due or, during a replay, when its progress is checked. */
  due_at: number;
  opened_at: number;
  /** Failed probes in a row. */
  failed_probes: number;
  /** Dead letters delivered since it opened. */
  replayed: number;
  /** Number of dead letters of the current batch. */
  batch_size: number;
  /** First and last delivery of the current batch. */
  batch_from: string | null;
  batch_until: string | null;
  /** The receiver asked for no requests before this time (`Retry-After`). */
  silent_until: number | null;
}
