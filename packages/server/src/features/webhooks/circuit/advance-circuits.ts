import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { updateMonitoringIncident } from '../../incidents/index.ts';
import { entryIdOf } from '../deliveries/delivery.ts';
import * as replayStore from '../deliveries/replay-store.ts';
import type { WebhookKey } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import { type Circuit, nextBatchSize, PACE_MS, stopReplay } from './circuit.ts';
import * as circuitStore from './circuit-store.ts';

/** Circuits that one round advances. */
const CIRCUITS_PER_ROUND = 50;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a step did with a circuit. */
type Step = 'started' | 'waiting' | 'stopped' | 'exhausted';

/**
 * Advances every circuit that is due by one step: begins a probe, checks a batch, begins the next one, or closes the
 * circuit. Everything is in the store, so any process can take any step, and a killed one leaves nothing behind.
 * Returns the webhooks that have deliveries now. A failing circuit does not delay the others.
 */
export async function advanceCircuits(parts: Parts): Promise<WebhookKey[]> {
  const { database, clock, logger } = parts;
  const started: WebhookKey[] = [];
  const due = { nowMs: clock.now(), limit: CIRCUITS_PER_ROUND };
  for (const key of await circuitStore.listDue(database.read, due)) {
    try {
      const step = await database.transaction((tx) => advance(tx, key, clock.now()));
      if (step === 'started') started.push(key);
      else if (step === 'stopped') logger.info(key, 'webhook replay stopped: the receiver does not respond');
      else if (step === 'exhausted') await close(parts, key);
    } catch (error) {
      logger.warn({ err: error, ...key }, 'webhook replay step failed');
    }
  }
  return started;
}

async function advance(tx: Queries, key: WebhookKey, nowMs: number): Promise<Step> {
  const circuit = await circuitStore.findForUpdate(tx, key);
  // Another process may have taken this step, or a person may have changed the webhook.
  if (!circuit || circuit.dueAtMs > nowMs || !(await isReplaying(tx, key))) return 'waiting';
  if (circuit.batch === null) return startBatch(tx, circuit, nowMs);
  const { batch } = circuit;
  const { failed, pending } = await replayStore.countOpen(tx, key, batch);
  const delivered = batch.size - failed - pending;
  if (failed > 0) {
    await replayStore.withdraw(tx, key, batch);
    await circuitStore.save(tx, stopReplay(circuit, { nowMs, random: Math.random(), delivered }));
    return 'stopped';
  }
  if (pending > 0) {
    await circuitStore.save(tx, { ...circuit, dueAtMs: nowMs + PACE_MS });
    return 'waiting';
  }
  return startBatch(tx, { ...circuit, replayed: circuit.replayed + delivered }, nowMs);
}

async function isReplaying(tx: Queries, { tenantId, webhookId }: WebhookKey): Promise<boolean> {
  const webhook = await webhookStore.find(tx, tenantId, webhookId);
  return webhook?.status === 'active' && webhook.autoReplay;
}

async function startBatch(tx: Queries, circuit: Circuit, nowMs: number): Promise<Step> {
  const limit = nextBatchSize(circuit);
  const replays = await replayStore.listWaitingForUpdate(tx, circuit, { nowMs, limit });
  const [from, until] = [replays[0]?.deliveryId, replays.at(-1)?.deliveryId];
  if (from === undefined || until === undefined) {
    await circuitStore.save(tx, { ...circuit, batch: null });
    return 'exhausted';
  }
  await replayStore.start(tx, circuit, { replays, nowMs });
  const batch = { size: replays.length, from, until };
  await circuitStore.save(tx, { ...circuit, state: 'half_open', dueAtMs: nowMs + PACE_MS, batch });
  for (const { deliveryId, eventId } of replays) {
    await auditReplay(tx, circuit, { deliveryId, eventId, nowMs });
  }
  return 'started';
}

/** The same entry as for a replay on request, except for the actor. */
async function auditReplay(
  tx: Queries,
  { tenantId, webhookId }: WebhookKey,
  { deliveryId, eventId, nowMs }: { deliveryId: string; eventId: string; nowMs: number },
): Promise<void> {
  const entryId = entryIdOf(deliveryId);
  const record = {
    tenantId,
    actor: SERVICE,
    action: 'webhook.replay',
    resource: { type: 'webhook', id: webhookId },
    outcome: 'success',
    requestId: null,
    detail: `Dead letter ${entryId} replayed`,
    fields: { entry_id: entryId, event_id: eventId },
  } as const;
  await auditStore.append(tx, record, nowMs);
}

/** In a transaction that locks the end of the feed first, like those that record dead letters: none is overlooked. */
async function close({ database, clock, logger }: Parts, key: WebhookKey): Promise<void> {
  const nowMs = clock.now();
  const closed = await database.transaction(async (tx) => {
    await feedHeadStore.lock(tx, key.tenantId);
    const circuit = await circuitStore.findForUpdate(tx, key);
    if (!circuit || circuit.batch !== null) return undefined;
    const [waiting] = await replayStore.listWaitingForUpdate(tx, key, { nowMs, limit: 1 });
    if (waiting) return undefined;
    await circuitStore.remove(tx, key);
    if (circuit.replayed > 0) await noteRecovery(tx, key.tenantId, { circuit, nowMs });
    return circuit;
  });
  if (!closed) return;
  const { replayed, openedAtMs } = closed;
  logger.info(
    { ...key, replayed, seconds: Math.round((nowMs - openedAtMs) / 1000) },
    'webhook responds again',
  );
}

async function noteRecovery(
  tx: Queries,
  tenantId: TenantId,
  { circuit: { webhookId, replayed }, nowMs }: { circuit: Circuit; nowMs: number },
): Promise<void> {
  const message = `Webhook ${webhookId} responds again; dead letters replayed: ${replayed}`;
  await updateMonitoringIncident(tx, tenantId, { correlationKey: webhookId, message, nowMs });
}
