import { type Event, type EventContext, MAX_EVENT_CORRECTIONS, MAX_EVENT_DELIVERIES } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { describeSigningKey } from '../../devices/index.ts';
import { type EventPlace, eventPlaceStore } from '../../feed/index.ts';
import { deliveryIdOf } from '../../webhooks/index.ts';
import * as derived from './derived-read-model.ts';
import { countMarks } from './redaction-marks.ts';

const NO_HASH = '0'.repeat(64);

/** Reads what is known about an event besides its content; undefined if there is no such event. */
export async function readEventContext(
  queries: ReadQueries,
  tenantId: TenantId,
  eventId: string,
): Promise<EventContext | undefined> {
  const place = await eventPlaceStore.findPlace(queries, tenantId, eventId);
  if (!place) return undefined;
  const event = readJson(place.body) as Event;
  const { deviceId, receivedAtMs } = place;
  const signing = await describeSigningKey(queries, tenantId, { deviceId, atMs: receivedAtMs });
  return {
    event_id: eventId,
    tenant_id: tenantId,
    position: place.position,
    received_at: toTimestamp(receivedAtMs),
    feed_chain: {
      event_hash: toHex(place.eventHash),
      chain_hash: toHex(place.chainHash),
      previous_chain_hash: await readPreviousHash(queries, tenantId, place),
    },
    device_chain: {
      state: place.deviceChain,
      sequence: event.sequence ?? null,
      previous_event_hash: event.previous_event_hash ?? null,
    },
    signature: {
      body_digest: toHex(place.signedDigest),
      device_key: signing.key,
      key_replaced: signing.isReplaced,
    },
    redaction: countMarks(place.body),
    corrections: await readCorrections(queries, tenantId, place),
    derived: await readDerived(queries, tenantId, place),
  };
}

async function readPreviousHash(
  queries: ReadQueries,
  tenantId: TenantId,
  { position }: EventPlace,
): Promise<string | null> {
  if (position === 1) return NO_HASH;
  const before = await eventPlaceStore.findChainHash(queries, tenantId, position - 1);
  return before === undefined ? null : toHex(before);
}

async function readCorrections(
  queries: ReadQueries,
  tenantId: TenantId,
  { eventId, correctsEventId }: EventPlace,
): Promise<EventContext['corrections']> {
  const rootId = correctsEventId ?? eventId;
  const newest = { rootId, limit: MAX_EVENT_CORRECTIONS };
  const eventIds = await eventPlaceStore.listCorrectionIds(queries, tenantId, newest);
  return {
    corrects_event_id: correctsEventId,
    event_ids: eventIds,
    effective_event_id: eventIds.at(-1) ?? rootId,
  };
}

async function readDerived(
  queries: ReadQueries,
  tenantId: TenantId,
  place: EventPlace,
): Promise<EventContext['derived']> {
  const { threatId, alertId } = place;
  const webhookIds = await derived.listWebhookIds(queries, tenantId, MAX_EVENT_DELIVERIES);
  // The id of a delivery follows from its event and its webhook, so no index by event is needed.
  const keys = webhookIds.map((webhookId) => ({
    webhookId,
    deliveryId: deliveryIdOf(webhookId, { tenantId, ...place }),
  }));
  const deliveries = await derived.listDeliveries(queries, tenantId, keys);
  return {
    threat_id: threatId,
    alert_id: alertId,
    incident_id: alertId === null ? null : await derived.findIncidentId(queries, tenantId, alertId),
    deliveries: deliveries.map(({ webhookId, deliveryId, status }) => ({
      webhook_id: webhookId,
      delivery_id: deliveryId,
      status,
    })),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
