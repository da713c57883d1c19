/** Stretches of the feed that are being looked through for events a webhook has missed. A row ends with its work. */
export interface WebhookRecoveriesTable {
  tenant_id: string;
  webhook_id: string;
  /** Position up to which the work is done. */
  after_position: number;
  /** Last position to look at. */
  until_position: number;
}
