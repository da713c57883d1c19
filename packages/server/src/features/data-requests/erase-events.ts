import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { erasedEventStore, subjectOf } from '../feed/index.ts';
import { deliveryIdOf } from '../webhooks/index.ts';
import { type FamilyEvent, listFamilies, listWebhookIds } from './event-family-read-model.ts';
import { type Removal, removeJobsAbout, settleAlerts, settleThreats } from './remove-derived.ts';
import { deleteWhere, type Row } from './subject-rows-store.ts';

/**
 * Erases events with the events that they correct and their corrections: all of these report the same. Their places stay
 * in the feed. Deliveries, sightings and jobs about them are deleted; threats, alerts and incidents are settled.
 */
export async function eraseEvents(
  removal: Removal,
  { rows, requestId }: { rows: readonly Row[]; requestId: string },
): Promise<void> {
  const { tx, tenantId, removed } = removal;
  const rootIds = rows.map((row) => String(row.corrects_event_id ?? row.event_id));
  const events = await listFamilies(tx, tenantId, [...new Set(rootIds)]);
  if (events.length === 0) return;
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
  removed.add('events', events.length);
  await removeDeliveries(removal, events);
  const erasedIds = new Set(events.map((event) => event.event_id));
  const alertIds = events.flatMap((event) => event.alert_id ?? []);
  await settleAlerts(removal, alertIds, erasedIds);
  const threatIds = events.flatMap((event) => event.threat_id ?? []);
  await removeSightings(removal, events);
  await settleThreats(removal, threatIds);
  await removeJobsAbout(removal, [...erasedIds]);
}

/** The id of a delivery follows from its webhook and event. */
async function removeDeliveries({ tx, tenantId, removed }: Removal, events: readonly FamilyEvent[]) {
  for (const webhookId of await listWebhookIds(tx, tenantId)) {
    const values = events.map(({ event_id: eventId, position, received_at: receivedAtMs }) =>
      deliveryIdOf(webhookId, { tenantId, eventId, position, receivedAtMs }),
    );
    const also = { webhook_id: webhookId };
    removed.add(
      'deliveries',
      await deleteWhere(tx, tenantId, { table: 'deliveries', column: 'delivery_id', values, also }),
    );
  }
}

/** A sighting of an erased event may be the only one in its threat; those of other events are recorded again by the next. */
async function removeSightings({ tx, tenantId, removed }: Removal, events: readonly FamilyEvent[]) {
  for (const { body, threat_id: threatId, device_id: deviceId } of events) {
    if (threatId === null) continue;
    const { correlationKeys } = subjectOf(readJson(body) as Event);
    const also = { device_id: deviceId, threat_id: threatId };
    removed.add(
      'sightings',
      await deleteWhere(tx, tenantId, {
        table: 'sightings',
        column: 'correlation_key',
        values: correlationKeys,
        also,
      }),
    );
  }
}
