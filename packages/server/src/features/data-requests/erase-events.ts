import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { auditStore, SERVICE } from '../audit/index.ts';
import { erasedEventStore, subjectOf } from '../feed/index.ts';
import { deliveryIdOf } from '../webhooks/index.ts';
import { type FamilyEvent, listFamilies, listWebhookIds } from './event-family-read-model.ts';
import type { Removal } from './removal.ts';
import { settleAlerts, settleThreats } from './remove-derived.ts';
import { deleteWhere, type Row } from './subject-rows-store.ts';

/** The most corrections that one transaction erases: an event can have any number of them. */
const CORRECTIONS_PER_TRANSACTION = 200;

/**
 * Erases events with the events that they correct and their corrections: all of these report the same. Their places stay
 * in the feed. Deliveries, sightings and jobs about them are deleted; threats, alerts and incidents are settled. Returns
 * whether none of them is left.
 */
export async function eraseEvents(removal: Removal, rows: readonly Row[]): Promise<boolean> {
  const { tx, tenantId, requestId } = removal;
  const rootIds = rows.map((row) => String(row.corrects_event_id ?? row.event_id));
  const { events, areWhole } = await listFamilies(tx, tenantId, {
    rootIds: [...new Set(rootIds)],
    limit: CORRECTIONS_PER_TRANSACTION,
  });
  if (events.length === 0) return areWhole;
  await erasedEventStore.erase(tx, tenantId, {
    requestId,
    events: events.map((event) => ({
      eventId: event.event_id,
      position: event.position,
      receivedAtMs: event.received_at,
      eventHash: event.event_hash,
      chainHash: event.chain_hash,
    })),
  });
  removal.add('events', events.length);
  await recordErasure(removal, events);
  await removeDeliveries(removal, events);
  const erasedIds = new Set(events.map((event) => event.event_id));
  const alertIds = events.flatMap((event) => event.alert_id ?? []);
  await settleAlerts(removal, alertIds, erasedIds);
  const threatIds = events.flatMap((event) => event.threat_id ?? []);
  await removeSightings(removal, events);
  await settleThreats(removal, threatIds);
  removal.leaveInputs([...erasedIds]);
  return areWhole;
}

/** The audit log names each place, so that `tps verify` can tell a deletion from a removal by someone else. */
function recordErasure(
  { tx, tenantId, requestId, nowMs }: Removal,
  events: readonly FamilyEvent[],
): Promise<void> {
  const entry = {
    tenantId,
    actor: SERVICE,
    action: 'data_request.erase',
    resource: { type: 'data_request', id: requestId },
    outcome: 'success',
    requestId: null,
    detail: `Events erased from the feed: ${events.length}`,
    fields: { positions: events.map(({ position }) => position) },
  } as const;
  return auditStore.append(tx, entry, nowMs);
}

/** The id of a delivery follows from its webhook and event. */
async function removeDeliveries(removal: Removal, events: readonly FamilyEvent[]) {
  const { tx, tenantId } = removal;
  for (const webhookId of await listWebhookIds(tx, tenantId)) {
    const values = events.map(({ event_id: eventId, position, received_at: receivedAtMs }) =>
      deliveryIdOf(webhookId, { tenantId, eventId, position, receivedAtMs }),
    );
    const deliveries = { table: 'deliveries', column: 'delivery_id', values } as const;
    const also = { webhook_id: webhookId };
    removal.add('deliveries', await deleteWhere(tx, tenantId, { ...deliveries, also }));
  }
}

/** A sighting of an erased event may be the only one in its threat; those of other events are recorded again by the next. */
async function removeSightings(removal: Removal, events: readonly FamilyEvent[]) {
  const { tx, tenantId } = removal;
  const keysOfThreats = new Map<string, { deviceId: string; keys: Set<string> }>();
  for (const { body, threat_id: threatId, device_id: deviceId } of events) {
    if (threatId === null) continue;
    const { keys } = keysOfThreats.get(threatId) ?? { keys: new Set<string>() };
    for (const key of subjectOf(readJson(body) as Event).correlationKeys) keys.add(key);
    keysOfThreats.set(threatId, { deviceId, keys });
  }
  for (const [threatId, { deviceId, keys }] of keysOfThreats) {
    const sightings = { table: 'sightings', column: 'correlation_key', values: [...keys] } as const;
    const also = { device_id: deviceId, threat_id: threatId };
    removal.add('sightings', await deleteWhere(tx, tenantId, { ...sightings, also }));
  }
}
