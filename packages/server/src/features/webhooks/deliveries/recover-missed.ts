import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { feedStore } from '../../feed/index.ts';
import { wants } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import * as deliveryStore from './delivery-store.ts';
import { isPushed, toDelivery } from './enqueue-deliveries.ts';
import type { RecoveryKey } from './recovery-store.ts';
import * as recoveryStore from './recovery-store.ts';

/** Events that one transaction checks. An event can have 41 kB, and the texts of all are read by one statement. */
const EVENTS_PER_TRANSACTION = 100;
/** Recoveries that one round advances. */
const RECOVERIES_PER_ROUND = 8;

/**
 * Advances every running recovery by one chunk. Progress is stored together with its deliveries, so a killed
 * process repeats nothing. Returns the webhooks that have deliveries now. A failing recovery does not delay the
 * others.
 */
export async function advanceRecoveries(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
}): Promise<RecoveryKey[]> {
  const { database, clock, logger } = parts;
  const advanced: RecoveryKey[] = [];
  for (const recovery of await recoveryStore.listAny(database.read, RECOVERIES_PER_ROUND)) {
    try {
      await database.transaction((tx) => advance(tx, recovery, clock.now()));
      advanced.push(recovery);
    } catch (error) {
      logger.warn({ err: error, webhookId: recovery.webhookId }, 'webhook recovery step failed');
    }
  }
  return advanced;
}

async function advance(tx: Queries, key: RecoveryKey, nowMs: number): Promise<void> {
  const { tenantId, webhookId, untilPosition } = key;
  // Locked first, in the same order as its removal.
  const webhook = await webhookStore.findForUpdate(tx, tenantId, webhookId);
  const recovery = await recoveryStore.findForUpdate(tx, key);
  if (!recovery) return;
  const until = Math.min(untilPosition, recovery.afterPosition + EVENTS_PER_TRANSACTION);
  const span = { after: recovery.afterPosition, until };
  const missed = (await feedStore.listEvents(tx, tenantId, span))
    .filter((event) => webhook !== undefined && isPushed(event) && wants(webhook, event.severity))
    .map((event) => toDelivery(webhookId, { ...event, tenantId }));
  await deliveryStore.createMany(tx, tenantId, { deliveries: missed, nowMs });
  if (recovery.restartsFailed) {
    const deliveryIds = missed.map(({ deliveryId }) => deliveryId);
    await deliveryStore.restartFailed(tx, tenantId, { webhookId, deliveryIds, nowMs });
  }
  if (until >= untilPosition) await recoveryStore.remove(tx, key);
  else await recoveryStore.saveMany(tx, [{ ...recovery, afterPosition: until }]);
}
