import type { DeadLetter, Delivery, DeliveryStatus } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { DELIVERY_RETENTION_DAYS, ID_PREFIXES } from '@tps/contract/vocabulary';
import { derivedId } from '../../../platform/identifiers.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';

/** An event on its way to a webhook, as stored. */
export interface DeliveryRecord {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  /** The event of a test delivery; null otherwise. */
  readonly testBody: string | null;
  readonly status: DeliveryStatus;
  /** Null when the delivery is over. */
  readonly dueAtMs: number | null;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastResponse: string | null;
  readonly lastDurationMs: number | null;
  /** When it became a dead letter; null if it is not one. */
  readonly deadAtMs: number | null;
}

/** A dead letter, with the stored text of its event. */
export interface DeadLetterRecord extends DeliveryRecord {
  readonly deadAtMs: number;
  readonly eventBody: string;
}

export const RETENTION_MS = DELIVERY_RETENTION_DAYS * 86_400_000;

/** Returns the id of the delivery of an event to a webhook. Each pair has exactly one. */
export function deliveryIdOf(
  webhookId: string,
  event: { tenantId: string; eventId: string; position: number; receivedAtMs: number },
): string {
  return derivedId(ID_PREFIXES.delivery, {
    atMs: event.receivedAtMs,
    order: event.position,
    seed: `delivery ${event.tenantId} ${webhookId} ${event.eventId}`,
  });
}

/** A dead letter is a failed delivery, so its id is the delivery's with another prefix. */
export function entryIdOf(deliveryId: string): string {
  return deliveryId.replace(ID_PREFIXES.delivery, ID_PREFIXES.dead_letter);
}

export function deliveryIdOfEntry(entryId: string): string {
  return entryId.replace(ID_PREFIXES.dead_letter, ID_PREFIXES.delivery);
}

export function toDelivery(delivery: DeliveryRecord, tenantId: string): Delivery {
  return {
    delivery_id: delivery.deliveryId,
    tenant_id: tenantId,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    kind: delivery.testBody === null ? 'event' : 'test',
    status: delivery.status,
    attempts: delivery.attempts,
    created_at: toTimestamp(delivery.createdAtMs),
    next_attempt_at: toOptionalTimestamp(delivery.dueAtMs),
    last_attempt_at: toOptionalTimestamp(delivery.lastAttemptAtMs),
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    last_response: delivery.lastResponse,
    last_duration_ms: delivery.lastDurationMs,
  };
}

export function toDeadLetter(entry: DeadLetterRecord, tenantId: string): DeadLetter {
  return {
    entry_id: entryIdOf(entry.deliveryId),
    tenant_id: tenantId,
    webhook_id: entry.webhookId,
    event_id: entry.eventId,
    delivery_id: entry.deliveryId,
    failed_at: toTimestamp(entry.deadAtMs),
    expires_at: toTimestamp(entry.deadAtMs + RETENTION_MS),
    attempts: entry.attempts,
    last_status: entry.lastStatus,
    last_error: entry.lastError ?? '',
    event: readJson(entry.eventBody) as DeadLetter['event'],
  };
}
