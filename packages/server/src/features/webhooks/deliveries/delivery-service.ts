import type { Replay } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { createId } from '../../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { parseTimestamp, toTimestamp } from '../../../platform/time.ts';
import { type ActingRequest, auditStore } from '../../audit/index.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import { feedHeadStore, feedStore } from '../../feed/index.ts';
import * as circuitStore from '../circuit/circuit-store.ts';
import type { WebhookRecord } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import * as deadLetterReadModel from './dead-letter-read-model.ts';
import { type DeliveryRecord, deliveryIdOfEntry, entryIdOf, RETENTION_MS } from './delivery.ts';
import * as deliveryStore from './delivery-store.ts';
import * as recoveryStore from './recovery-store.ts';
import { makeTestEvent } from './test-event.ts';

/** Notifies the dispatcher that webhooks have deliveries. */
export type Wake = (tenantId: TenantId, webhookIds: readonly string[]) => void;

/** Starts, restarts and removes deliveries on request, each with its audit entry in the same transaction. */
export class DeliveryService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #wake: Wake;

  constructor({ database, clock, wake }: { database: RequestDatabase; clock: Clock; wake: Wake }) {
    this.#database = database;
    this.#clock = clock;
    this.#wake = wake;
  }

  /**
   * Sends a test event, also to a receiver that asked for no requests. @throws ServiceError `not_found`, or `invalid_state_transition` when the webhook is
   * disabled
   */
  async test(
    tenantId: TenantId,
    webhookId: string,
    request: AdmittedRequest,
  ): Promise<Pick<DeliveryRecord, 'deliveryId' | 'eventId'>> {
    const nowMs = this.#clock.now();
    const deliveryId = createId(ID_PREFIXES.delivery, nowMs);
    const eventId = createId(`${ID_PREFIXES.event}_test`, nowMs);
    await this.#database.transaction(request, async (tx) => {
      // Recording attempts locks the circuit before the webhook.
      await feedHeadStore.lock(tx, tenantId);
      await lockActive(tx, tenantId, webhookId);
      await circuitStore.endSilence(tx, { tenantId, webhookId });
      const testBody = makeTestEvent({ eventId, tenantId, webhookId, nowMs });
      await deliveryStore.createMany(tx, tenantId, {
        deliveries: [{ webhookId, deliveryId, eventId, testBody }],
        nowMs,
      });
      await this.#audit(tx, request, {
        tenantId,
        action: 'webhook.test',
        webhookId,
        detail: `Test delivery ${deliveryId} started`,
        fields: { delivery_id: deliveryId },
      });
    });
    this.#wake(tenantId, [webhookId]);
    return { deliveryId, eventId };
  }

  /**
   * Delivers a dead letter again; repeating this during the delivery has no effect.
   * @throws ServiceError `not_found`, `missing_field`, `invalid_field`, or `invalid_state_transition` when the
   * webhook is disabled
   */
  async replay(
    tenantId: TenantId,
    { entry_id: entryId, webhook_id: webhookId }: Replay,
    request: AdmittedRequest,
  ): Promise<{ entryId: string; deliveryId: string }> {
    const replayed = await this.#database.transaction(request, async (tx) => {
      const deliveryId = await toDeliveryId(tx, tenantId, { entryId, webhookId });
      const dead = deliveryId && (await deliveryStore.findDeadForUpdate(tx, tenantId, deliveryId));
      if (!dead) throw notFound('dead letter');
      // Not locked: removing the webhook locks it before its deliveries, and one of those is locked here.
      requireActive(await webhookStore.find(tx, tenantId, dead.webhookId));
      if (dead.status === 'pending') return dead;
      await deliveryStore.restartFailed(tx, tenantId, {
        webhookId: dead.webhookId,
        deliveryIds: [dead.deliveryId],
        nowMs: this.#clock.now(),
      });
      await this.#audit(tx, request, {
        tenantId,
        action: 'webhook.replay',
        webhookId: dead.webhookId,
        detail: `Dead letter ${entryIdOf(dead.deliveryId)} replayed`,
        fields: { entry_id: entryIdOf(dead.deliveryId), event_id: dead.eventId },
      });
      return dead;
    });
    this.#wake(tenantId, [replayed.webhookId]);
    return { entryId: entryIdOf(replayed.deliveryId), deliveryId: replayed.deliveryId };
  }

  /** Removes a dead letter from the list. @throws ServiceError `not_found` */
  acknowledge(tenantId: TenantId, entryId: string, request: AdmittedRequest): Promise<void> {
    return this.#database.transaction(request, async (tx) => {
      const dead = await deliveryStore.findDeadForUpdate(tx, tenantId, deliveryIdOfEntry(entryId));
      if (!dead) throw notFound('dead letter');
      await deliveryStore.acknowledge(tx, tenantId, dead);
      await this.#audit(tx, request, {
        tenantId,
        action: 'webhook.acknowledge',
        webhookId: dead.webhookId,
        detail: `Dead letter ${entryId} of event ${dead.eventId} deleted`,
        fields: { entry_id: entryId, event_id: dead.eventId },
      });
    });
  }

  /**
   * Starts delivering the events that a webhook has missed since a time. Returns how many events will be checked.
   * @throws ServiceError `not_found`, `invalid_field`, or `invalid_state_transition` when the webhook is disabled
   */
  async recover(
    tenantId: TenantId,
    webhookId: string,
    { since, request }: { since: string; request: AdmittedRequest },
  ): Promise<{ sinceMs: number; events: number }> {
    const nowMs = this.#clock.now();
    const sinceMs = parseTimestamp(since) ?? Number.NaN;
    if (!(sinceMs <= nowMs)) throw new ServiceError('invalid_field', 'since must not be in the future');
    if (sinceMs < nowMs - RETENTION_MS) {
      throw new ServiceError(
        'invalid_field',
        'since must be within the last 7 days; older deliveries are purged',
      );
    }
    const events = await this.#database.transaction(request, async (tx) => {
      await lockActive(tx, tenantId, webhookId);
      const { position: untilPosition } = await feedHeadStore.read(tx, tenantId);
      const afterPosition = await feedStore.findPositionBefore(tx, tenantId, sinceMs);
      const range = { tenantId, webhookId, untilPosition };
      const running = await recoveryStore.findForUpdate(tx, range);
      // A running recovery may have started earlier: it must still reach its end.
      const from = Math.min(afterPosition, running?.afterPosition ?? afterPosition);
      await recoveryStore.saveMany(tx, [{ ...range, afterPosition: from, restartsFailed: true }]);
      await this.#audit(tx, request, {
        tenantId,
        action: 'webhook.recover',
        webhookId,
        detail: `Missed events since ${toTimestamp(sinceMs)} are being delivered`,
        fields: { since: toTimestamp(sinceMs) },
      });
      return Math.max(0, untilPosition - afterPosition);
    });
    this.#wake(tenantId, [webhookId]);
    return { sinceMs, events };
  }

  #audit(
    tx: Queries,
    request: ActingRequest,
    entry: {
      tenantId: TenantId;
      action: string;
      webhookId: string;
      detail: string;
      fields: Record<string, unknown>;
    },
  ): Promise<void> {
    const { webhookId, ...record } = entry;
    const resource = { type: 'webhook', id: webhookId };
    return auditStore.appendFor(tx, request, { ...record, resource }, this.#clock.now());
  }
}

/** Prevents the removal of a webhook until this transaction has committed. */
async function lockActive(tx: Queries, tenantId: TenantId, webhookId: string): Promise<void> {
  requireActive(await webhookStore.findForUpdate(tx, tenantId, webhookId));
}

function requireActive(webhook: WebhookRecord | undefined): void {
  if (!webhook) throw notFound('webhook');
  if (webhook.status !== 'active') {
    throw new ServiceError('invalid_state_transition', 'The webhook is disabled; enable it first');
  }
}

async function toDeliveryId(
  tx: Queries,
  tenantId: TenantId,
  { entryId, webhookId }: { entryId: string | undefined; webhookId: string | undefined },
): Promise<string | undefined> {
  if (entryId !== undefined && webhookId !== undefined) {
    throw new ServiceError('invalid_field', 'Set either entry_id or webhook_id, not both');
  }
  if (entryId !== undefined) return deliveryIdOfEntry(entryId);
  if (webhookId === undefined) throw new ServiceError('missing_field', 'entry_id or webhook_id is required');
  return deadLetterReadModel.findNewestId(tx, tenantId, webhookId);
}
