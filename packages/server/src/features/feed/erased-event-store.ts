import { prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { digestOf } from './feed-event.ts';

/** What is left of an event that was erased on request: its place in the hash chain. */
export interface ErasedEvent {
  readonly position: number;
  readonly receivedAtMs: number;
  /** SHA-256 of the erased text. */
  readonly eventHash: Uint8Array;
  readonly chainHash: Uint8Array;
}

/** An event to erase. */
export interface ErasableEvent extends ErasedEvent {
  readonly eventId: string;
}

/** Replaces events by their places. The caller has locked the feed. */
export async function erase(
  tx: Queries,
  tenantId: TenantId,
  { events, requestId }: { events: readonly ErasableEvent[]; requestId: string },
): Promise<void> {
  await tx.insertMany(
    'erased_events',
    events.map((event) => ({
      tenant_id: tenantId,
      position: event.position,
      event_key: keyOf(event.eventId),
      received_at: event.receivedAtMs,
      event_hash: event.eventHash,
      chain_hash: event.chainHash,
      request_id: requestId,
    })),
  );
  await tx.db
    .deleteFrom('events')
    .where('tenant_id', '=', tenantId)
    .where(
      tx.anyOf(
        'position',
        events.map(({ position }) => position),
      ),
    )
    .execute();
}

/** Returns the hashes of those of these events that were erased, by event id. */
export async function findHashes(
  queries: ReadQueries,
  tenantId: TenantId,
  eventIds: readonly string[],
): Promise<Map<string, Uint8Array>> {
  if (eventIds.length === 0) return new Map();
  const ids = new Map(eventIds.map((eventId) => [keyOf(eventId), eventId]));
  const rows = await selectByKey(queries, { tenantId, keys: [...ids.keys()] });
  return new Map(rows.map((row) => [ids.get(row.event_key) ?? '', row.event_hash]));
}

const selectByKey = prepareQuery(
  (queries, { tenantId, keys }: { tenantId: TenantId; keys: readonly string[] }) =>
    queries.db
      .selectFrom(queries.rowsOf('erased_events', { tenantId, column: 'event_key', values: keys }))
      .select(['event_key', 'event_hash']),
);

/** Lists what a request erased, in the order of the feed. */
export async function listOfRequest(
  queries: ReadQueries,
  tenantId: TenantId,
  { requestId, after, limit }: { requestId: string; after: number; limit: number },
): Promise<ErasedEvent[]> {
  const rows = await queries.db
    .selectFrom('erased_events')
    .select(['position', 'received_at', 'event_hash', 'chain_hash'])
    .where('tenant_id', '=', tenantId)
    .where('request_id', '=', requestId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toErased);
}

/** Lists the places of erased events in a range of the feed. */
export async function listSpan(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<ErasedEvent[]> {
  const rows = await queries.db
    .selectFrom('erased_events')
    .select(['position', 'received_at', 'event_hash', 'chain_hash'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', after)
    .where('position', '<=', until)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toErased);
}

function keyOf(eventId: string): string {
  return digestOf('event', eventId);
}

function toErased(row: {
  position: number;
  received_at: number;
  event_hash: Uint8Array;
  chain_hash: Uint8Array;
}): ErasedEvent {
  return {
    position: row.position,
    receivedAtMs: row.received_at,
    eventHash: row.event_hash,
    chainHash: row.chain_hash,
  };
}
