/** Ranges of the feed that are searched for events a webhook was not sent. A row is deleted when its search ends. */
export interface WebhookRecoveriesTable {
  tenant_id: string;
  webhook_id: string;
  /** The last position of the range. */
  until_position: number;
  /** The position up to which the search is done. */
  after_position: number;
  /** Whether failed deliveries are started again. */
  restarts_failed: number;
}
