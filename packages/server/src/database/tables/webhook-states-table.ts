/** Delivery status of each webhook. Separate from `webhooks`, because it changes with each delivery. */
export interface WebhookStatesTable {
  tenant_id: string;
  webhook_id: string;
  last_status: string;
  last_error: string | null;
  last_at: number;
  last_attempts: number;
  /** The first failure since the last success. */
  failing_since: number | null;
}
