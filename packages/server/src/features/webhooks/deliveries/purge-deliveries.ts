import type { Database } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as circuitStore from '../circuit/circuit-store.ts';
import * as webhookStateStore from '../webhook-state-store.ts';
import * as webhookStore from '../webhook-store.ts';
import * as deliveryStore from './delivery-store.ts';
import { listExpired, listRemovedWebhooks, purgeMany } from './queue-store.ts';

/** A tenant has at most a hundred webhooks. */
const ALL = { after: undefined, limit: 1000 };

/**
 * Purges the deliveries of a tenant that are past their retention, in small transactions, and only if there are
 * any: finished ones, those that have waited for a disabled webhook for that time, and those of removed webhooks.
 */
export async function purgeDeliveries(database: Database, tenantId: TenantId, nowMs: number): Promise<void> {
  for (const { webhookId, status } of await webhookStore.list(database.read, tenantId, ALL)) {
    const filter = { webhookId, nowMs, withPending: status === 'disabled' };
    for (;;) {
      const deliveryIds = await listExpired(database.read, tenantId, filter);
      if (deliveryIds.length === 0) break;
      await database.transaction((tx) => purgeMany(tx, tenantId, { ...filter, deliveryIds }));
    }
  }
  for (const webhookId of await listRemovedWebhooks(database.read, tenantId)) {
    await database.transaction((tx) => deliveryStore.removeOfWebhook(tx, tenantId, webhookId));
  }
  await database.transaction(async (tx) => {
    await webhookStateStore.removeLost(tx, tenantId);
    await circuitStore.removeLost(tx, tenantId);
  });
}
