import type { DisabledReason } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import { upsertMonitoringIncident } from '../incidents/index.ts';
import type { WebhookKey } from './webhook.ts';
import { disableWebhook } from './webhook-service.ts';

/**
 * Disables a webhook inside the caller's transaction, which has locked the end of the tenant's feed. Opens an incident that says
 * why, if the webhook would have sent events otherwise, and returns whether it would have.
 */
export async function giveUp(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { reason, why, nowMs }: { reason: Exclude<DisabledReason, 'requested'>; why: string; nowMs: number },
): Promise<boolean> {
  const message = `Webhook ${webhookId} was disabled: ${why}`;
  const isDisabled = await disableWebhook(tx, tenantId, { webhookId, reason, detail: message, nowMs });
  if (isDisabled) await upsertMonitoringIncident(tx, tenantId, { correlationKey: webhookId, message, nowMs });
  return isDisabled;
}
