import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { sql } from 'kysely';
import { prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type DeviceChainState, type FeedEvent, toFeedEvent } from './feed-event.ts';

/** A stored event whose id was submitted again. */
export interface KnownEvent {
  readonly eventId: string;
  readonly body: string;
}

/** An event that a correction may name. */
export interface RootEvent {
  readonly eventId: string;
  readonly deviceId: string;
  readonly isCorrection: boolean;
  readonly decidedAtMs: number;
}

/** The event that counts among a root event and its corrections, and the threat and alert it belongs to. */
export interface EffectiveEvent {
  readonly event: FeedEvent;
  readonly threatId: string | null;
  readonly alertId: string | null;
}

export async function appendMany(tx: Queries, events: readonly Row<'events'>[]): Promise<void> {
  await tx.insertMany('events', events);
}

export async function findBody(
  queries: ReadQueries,
  tenantId: TenantId,
  eventId: string,
): Promise<string | undefined> {
  const [event] = await findKnown(queries, tenantId, [eventId]);
  return event?.body;
}

export async function findKnown(
  queries: ReadQueries,
  tenantId: TenantId,
  eventIds: readonly string[],
): Promise<KnownEvent[]> {
  if (eventIds.length === 0) return [];
  const rows = await selectKnown(queries, { tenantId, eventIds });
  return rows.map((row) => ({ eventId: row.event_id, body: row.body }));
}

const selectKnown = prepareQuery(
  (queries, { tenantId, eventIds }: { tenantId: TenantId; eventIds: readonly string[] }) =>
    queries.db
      .selectFrom(queries.rowsOf('events', { tenantId, column: 'event_id', values: eventIds }))
      .select(['event_id', 'body']),
);

export async function findRoots(
  queries: ReadQueries,
  tenantId: TenantId,
  eventIds: readonly string[],
): Promise<RootEvent[]> {
  if (eventIds.length === 0) return [];
  const rows = await queries.db
    .selectFrom(queries.rowsOf('events', { tenantId, column: 'event_id', values: eventIds }))
    .select(['event_id', 'device_id', 'corrects_event_id', 'timestamp'])
    .execute();
  return rows.map((row) => ({
    eventId: row.event_id,
    deviceId: row.device_id,
    isCorrection: row.corrects_event_id !== null,
    decidedAtMs: row.timestamp,
  }));
}

/** Finds the one that counts among a root event and its corrections: the latest. */
export async function findEffective(
  queries: ReadQueries,
  tenantId: TenantId,
  rootId: string,
): Promise<EffectiveEvent | undefined> {
  const events = eventsWithRoots(queries, tenantId);
  const row =
    (await events
      .where('e.corrects_event_id', '=', rootId)
      .orderBy('e.position', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? (await events.where('e.event_id', '=', rootId).executeTakeFirst());
  return row && { event: toStoredEvent(tenantId, row), threatId: row.threat_id, alertId: row.alert_id };
}

/** Finds the alert that a root event, or the newest of its corrections that had one, joined. */
export async function findLastAlertId(
  queries: ReadQueries,
  tenantId: TenantId,
  rootId: string,
): Promise<string | null> {
  const events = queries.db
    .selectFrom('events')
    .select('alert_id')
    .where('tenant_id', '=', tenantId)
    .where('alert_id', 'is not', null);
  const row =
    (await events
      .where('corrects_event_id', '=', rootId)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? (await events.where('event_id', '=', rootId).executeTakeFirst());
  return row?.alert_id ?? null;
}

/** Lists the events of a threat that count, in the order of the device's decisions. */
export async function listEffectiveOfThreat(
  queries: ReadQueries,
  tenantId: TenantId,
  threatId: string,
): Promise<FeedEvent[]> {
  const rows = await effectiveEvents(queries, tenantId).where('e.threat_id', '=', threatId).execute();
  return rows.map((row) => toStoredEvent(tenantId, row));
}

/** Lists those of these events that count and belong to this alert. */
export async function listEffectiveOfAlert(
  queries: ReadQueries,
  tenantId: TenantId,
  { alertId, eventIds }: { alertId: string; eventIds: readonly string[] },
): Promise<FeedEvent[]> {
  const rows = await effectiveEvents(queries, tenantId)
    .where('e.alert_id', '=', alertId)
    .where(queries.anyOf(sql.ref('e.event_id'), eventIds))
    .execute();
  return rows.map((row) => toStoredEvent(tenantId, row));
}

/** Selects events, each with the time of its root event (itself, or the event that it corrects). */
function eventsWithRoots(queries: ReadQueries, tenantId: TenantId) {
  return queries.db
    .selectFrom('events as e')
    .leftJoin('events as root', (join) =>
      join.onRef('root.tenant_id', '=', 'e.tenant_id').onRef('root.event_id', '=', 'e.corrects_event_id'),
    )
    .select(['e.body', 'e.position', 'e.received_at', 'e.device_chain', 'e.threat_id', 'e.alert_id'])
    .select((event) => event.fn.coalesce('root.timestamp', 'e.timestamp').as('decided_at'))
    .where('e.tenant_id', '=', tenantId);
}

/** Selects events that were not replaced by a later correction of the same root. */
function effectiveEvents(queries: ReadQueries, tenantId: TenantId) {
  return eventsWithRoots(queries, tenantId)
    .where((event) =>
      event.not(
        event.exists(
          event
            .selectFrom('events as later')
            .select('later.position')
            .whereRef('later.tenant_id', '=', 'e.tenant_id')
            .whereRef('later.corrects_event_id', '=', event.fn.coalesce('e.corrects_event_id', 'e.event_id'))
            .whereRef('later.position', '>', 'e.position'),
        ),
      ),
    )
    .orderBy('decided_at')
    .orderBy('e.position');
}

function toStoredEvent(
  tenantId: TenantId,
  row: { body: string; position: number; received_at: number; decided_at: number; device_chain: string },
): FeedEvent {
  return toFeedEvent(readJson(row.body) as Event, {
    tenantId,
    position: row.position,
    receivedAtMs: row.received_at,
    decidedAtMs: row.decided_at,
    deviceChain: row.device_chain as DeviceChainState,
  });
}
