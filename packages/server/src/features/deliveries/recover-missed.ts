import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { feedStore } from '../events/index.ts';
import { wants, webhookStore } from '../webhooks/index.ts';
import { deliveryIdOf } from './delivery.ts';
import * as deliveryStore from './delivery-store.ts';
import { isPushed } from './enqueue-deliveries.ts';
import type { Recovery } from './recovery-store.ts';
import * as recoveryStore from './recovery-store.ts';

/** Events that one transaction looks at. */
const CHUNK = 500;
/** Recoveries that one round advances; the others have their turn in the next. */
const AT_ONCE = 8;

/**
 * Advances every recovery under way by one chunk. Progress is stored with what it made, so a process that is killed
 * repeats nothing. Gives the webhooks that have something to send now. One that fails keeps nobody else waiting.
 */
export async function advanceRecoveries(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
}): Promise<Pick<Recovery, 'tenantId' | 'webhookId'>[]> {
  const { database, clock, logger } = parts;
  const advanced: Pick<Recovery, 'tenantId' | 'webhookId'>[] = [];
  for (const recovery of await recoveryStore.listAny(database.read, AT_ONCE)) {
    try {
      await database.transaction((tx) => advance(tx, recovery, clock.now()));
      advanced.push(recovery);
    } catch (error) {
      logger.warn({ err: error, webhookId: recovery.webhookId }, 'missed events could not be looked through');
    }
  }
  return advanced;
}

async function advance(
  tx: Queries,
  { tenantId, webhookId }: Pick<Recovery, 'tenantId' | 'webhookId'>,
  nowMs: number,
): Promise<void> {
  // Locked first, as by whoever removes it.
  const webhook = await webhookStore.findForUpdate(tx, tenantId, webhookId);
  const recovery = await recoveryStore.findForUpdate(tx, tenantId, webhookId);
  if (!recovery) return;
  const { afterPosition: after, untilPosition } = recovery;
  const until = Math.min(untilPosition, after + CHUNK);
  const events = await feedStore.listDecisions(tx, tenantId, { after, until });
  const missed = events
    .filter((event) => webhook !== undefined && isPushed(event) && wants(webhook, event.severity))
    .map((event) => ({
      webhookId,
      deliveryId: deliveryIdOf(webhookId, { ...event, tenantId }),
      eventId: event.eventId,
      testBody: null,
    }));
  await deliveryStore.createMany(tx, tenantId, { deliveries: missed, nowMs });
  const deliveryIds = missed.map(({ deliveryId }) => deliveryId);
  const failed = await deliveryStore.listFailed(tx, tenantId, { webhookId, deliveryIds });
  const deliveries = failed.map((deliveryId) => ({ webhookId, deliveryId }));
  await deliveryStore.restartMany(tx, tenantId, { deliveries, nowMs });
  if (until >= untilPosition) await recoveryStore.remove(tx, tenantId, webhookId);
  else await recoveryStore.save(tx, { ...recovery, afterPosition: until });
}
