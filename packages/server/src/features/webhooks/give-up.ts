import type { DisabledReason } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import { upsertMonitoringIncident } from '../incidents/index.ts';
import type { WebhookKey } from './webhook.ts';
import { auditOf } from './webhook-audit.ts';
import * as webhookStore from './webhook-store.ts';

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

/**
 * Returns whether the webhook would have sent events, now or with a new secret. One that is disabled already stays as it is,
 * except that the end of its owner becomes the reason. A removed webhook stays unchanged.
 */
export async function disableWebhook(
  tx: Queries,
  tenantId: TenantId,
  stop: { webhookId: string; reason: Exclude<DisabledReason, 'requested'>; detail: string; nowMs: number },
): Promise<boolean> {
  const { webhookId, reason, detail, nowMs } = stop;
  const before = await webhookStore.findForUpdate(tx, tenantId, webhookId);
  if (!before || before.disabledReason === reason) return false;
  if (before.status === 'disabled' && reason !== 'owner_left') return false;
  const after = { ...before, status: 'disabled', disabledReason: reason, updatedAtMs: nowMs } as const;
  await webhookStore.update(tx, tenantId, after);
  const entry = { ...auditOf(tenantId, after, 'webhook.disable'), detail };
  await auditStore.append(tx, { ...entry, actor: SERVICE, outcome: 'success', requestId: null }, nowMs);
  return before.status !== 'disabled' || before.disabledReason === 'secret_lost';
}
