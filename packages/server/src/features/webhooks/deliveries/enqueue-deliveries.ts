import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { FeedEvent } from '../../feed/index.ts';
import { wants } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import { deliveryIdOf } from './delivery.ts';
import * as deliveryStore from './delivery-store.ts';
import * as recoveryStore from './recovery-store.ts';

/**
 * Maximum number of deliveries that one ingest transaction writes. A hundred webhooks and two thousand events would
 * make two hundred thousand, and delay all events for seconds.
 */
const MAX_PER_TRANSACTION = 2000;

/**
 * Writes the deliveries of new events to the tenant's active webhooks, in the events' own transaction: every
 * acknowledged event is on its way. If there are too many, only the range of the feed is stored, and processed a
 * little later. `allow` events have no deliveries. Returns the webhooks that have deliveries now.
 */
export async function enqueueDeliveries(
  tx: Queries,
  tenantId: TenantId,
  { events, nowMs }: { events: readonly FeedEvent[]; nowMs: number },
): Promise<string[]> {
  const pushed = events.filter(isPushed);
  const [first] = pushed;
  const last = pushed.at(-1);
  if (first === undefined || last === undefined) return [];
  const webhooks = await webhookStore.listActive(tx, tenantId);
  const matching = webhooks
    .map((webhook) => ({ ...webhook, events: pushed.filter(({ severity }) => wants(webhook, severity)) }))
    .filter(({ events }) => events.length > 0);
  const total = matching.reduce((sum, { events }) => sum + events.length, 0);
  if (total > MAX_PER_TRANSACTION) {
    const range = {
      afterPosition: first.position - 1,
      untilPosition: last.position,
      restartsFailed: false,
    };
    await recoveryStore.saveMany(
      tx,
      matching.map(({ webhookId }) => ({ ...range, tenantId, webhookId })),
    );
  } else {
    const deliveries = matching.flatMap(({ webhookId, events }) =>
      events.map((event) => toDelivery(webhookId, event)),
    );
    await deliveryStore.createMany(tx, tenantId, { deliveries, nowMs });
  }
  return matching.map(({ webhookId }) => webhookId);
}

/** Whether webhooks receive events like this one. */
export function isPushed({ action }: Pick<FeedEvent, 'action'>): boolean {
  return action !== 'allow';
}

/** Creates the delivery of an event to a webhook. */
export function toDelivery(
  webhookId: string,
  event: Pick<FeedEvent, 'tenantId' | 'eventId' | 'position' | 'receivedAtMs'>,
): deliveryStore.NewDelivery {
  return {
    webhookId,
    deliveryId: deliveryIdOf(webhookId, event),
    eventId: event.eventId,
    testBody: null,
  };
}
