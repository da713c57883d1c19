import type { Database } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { webhookStore } from '../webhooks/index.ts';
import { pruneOfWebhook } from './queue-store.ts';

/** Deletes the deliveries of a tenant that are kept no longer, in small transactions. */
export async function pruneDeliveries(database: Database, tenantId: TenantId, nowMs: number): Promise<void> {
  for (const { webhookId } of await webhookStore.list(database.read, tenantId, ALL)) {
    while ((await database.transaction((tx) => pruneOfWebhook(tx, tenantId, { webhookId, nowMs }))) > 0);
  }
}

/** A tenant has no more than a hundred. */
const ALL = { after: undefined, limit: 1000 };
