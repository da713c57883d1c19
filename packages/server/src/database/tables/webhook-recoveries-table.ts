/** Stretches of the feed that are being looked through for events a webhook has not been sent. A row ends with its work. */
export interface WebhookRecoveriesTable {
  tenant_id: string;
  webhook_id: string;
  /** Last position to look at. */
  until_position: number;
  /** Position up to which the work is done. */
  after_position: number;
  /** Whether deliveries that have failed are started once more. */
  restarts_failed: number;
}
