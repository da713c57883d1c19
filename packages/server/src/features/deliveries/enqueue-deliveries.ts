import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { Decision } from '../events/index.ts';
import { wants, webhookStore } from '../webhooks/index.ts';
import { deliveryIdOf } from './delivery.ts';
import * as deliveryStore from './delivery-store.ts';

/**
 * Writes the deliveries of new events to the tenant's active webhooks, in the events' own transaction: whatever is
 * acknowledged is on its way. `allow` events have none. Gives the webhooks that have something to send now.
 */
export async function enqueueDeliveries(
  tx: Queries,
  tenantId: TenantId,
  { decisions, nowMs }: { decisions: readonly Decision[]; nowMs: number },
): Promise<string[]> {
  const pushed = decisions.filter(isPushed);
  if (pushed.length === 0) return [];
  const webhooks = await webhookStore.listActive(tx, tenantId);
  const deliveries = webhooks.flatMap((webhook) =>
    pushed
      .filter(({ severity }) => wants(webhook, severity))
      .map((decision) => ({
        webhookId: webhook.webhookId,
        deliveryId: deliveryIdOf(webhook.webhookId, decision),
        eventId: decision.eventId,
        testBody: null,
      })),
  );
  await deliveryStore.createMany(tx, tenantId, { deliveries, nowMs });
  return [...new Set(deliveries.map(({ webhookId }) => webhookId))];
}

/** Whether webhooks get events like this one. */
export function isPushed({ action }: Pick<Decision, 'action'>): boolean {
  return action !== 'allow';
}
