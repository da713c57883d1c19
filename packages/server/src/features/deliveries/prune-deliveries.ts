import type { Database } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { webhookStore } from '../webhooks/index.ts';
import { listOutdated, removeMany } from './queue-store.ts';

/** A tenant has no more than a hundred. */
const ALL = { after: undefined, limit: 1000 };

/**
 * Deletes the deliveries of a tenant that are kept no longer, in small transactions, and only where there are any: those
 * that are over, and those that have waited for a disabled webhook for as long.
 */
export async function pruneDeliveries(database: Database, tenantId: TenantId, nowMs: number): Promise<void> {
  for (const { webhookId, status } of await webhookStore.list(database.read, tenantId, ALL)) {
    const pruned = { webhookId, nowMs, withPending: status === 'disabled' };
    for (;;) {
      const seen = await listOutdated(database.read, tenantId, pruned);
      if (seen.length === 0) break;
      await database.transaction(async (tx) => {
        // Looked for again: one of them may have been started anew meanwhile.
        const deliveryIds = await listOutdated(tx, tenantId, pruned);
        await removeMany(tx, tenantId, { webhookId, deliveryIds });
      });
    }
  }
}
