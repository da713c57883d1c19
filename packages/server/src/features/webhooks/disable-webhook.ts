import type { DisabledReason } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import { withStatus } from './webhook.ts';
import { auditOf } from './webhook-audit.ts';
import * as webhookStore from './webhook-store.ts';

/**
 * Disables a webhook that the service has given up on, inside the caller's transaction, which has locked the end of the
 * tenant's feed before. Gives whether that changed anything: one that is disabled, or gone, stays as it is.
 */
export async function disableWebhook(
  tx: Queries,
  tenantId: TenantId,
  stop: { webhookId: string; reason: Exclude<DisabledReason, 'requested'>; detail: string; nowMs: number },
): Promise<boolean> {
  const { webhookId, reason, detail, nowMs } = stop;
  const before = await webhookStore.findForUpdate(tx, tenantId, webhookId);
  if (before?.status !== 'active') return false;
  const after = { ...withStatus(before, 'disabled', reason), updatedAtMs: nowMs };
  await webhookStore.update(tx, tenantId, after);
  const entry = { ...auditOf(tenantId, after, 'webhook.disable'), detail };
  await auditStore.append(tx, { ...entry, actor: SERVICE, outcome: 'success', requestId: null }, nowMs);
  return true;
}
