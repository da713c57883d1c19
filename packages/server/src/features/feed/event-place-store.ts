import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { DeviceChainState } from './feed-event.ts';

/** Where an event stands, and what it joined. */
export interface EventPlace {
  readonly eventId: string;
  readonly position: number;
  readonly receivedAtMs: number;
  readonly deviceId: string;
  readonly body: string;
  readonly correctsEventId: string | null;
  readonly threatId: string | null;
  readonly alertId: string | null;
  readonly deviceChain: DeviceChainState;
  readonly eventHash: Uint8Array;
  readonly chainHash: Uint8Array;
  readonly signedDigest: Uint8Array;
}

export async function findPlace(
  queries: ReadQueries,
  tenantId: TenantId,
  eventId: string,
): Promise<EventPlace | undefined> {
  const row = await queries.db
    .selectFrom('events')
    .select(['event_id', 'position', 'received_at', 'device_id', 'body', 'corrects_event_id', 'threat_id'])
    .select(['alert_id', 'device_chain', 'event_hash', 'chain_hash', 'signed_digest'])
    .where('tenant_id', '=', tenantId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return (
    row && {
      eventId: row.event_id,
      position: row.position,
      receivedAtMs: row.received_at,
      deviceId: row.device_id,
      body: row.body,
      correctsEventId: row.corrects_event_id,
      threatId: row.threat_id,
      alertId: row.alert_id,
      deviceChain: row.device_chain as DeviceChainState,
      eventHash: row.event_hash,
      chainHash: row.chain_hash,
      signedDigest: row.signed_digest,
    }
  );
}

/** Finds the chain hash of the event at a position. */
export async function findChainHash(
  queries: ReadQueries,
  tenantId: TenantId,
  position: number,
): Promise<Uint8Array | undefined> {
  const row = await queries.db
    .selectFrom('events')
    .select('chain_hash')
    .where('tenant_id', '=', tenantId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.chain_hash;
}

/** Lists the ids of the corrections of a root event: the newest ones, oldest first. */
export async function listCorrectionIds(
  queries: ReadQueries,
  tenantId: TenantId,
  { rootId, limit }: { rootId: string; limit: number },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select('event_id')
    .where('tenant_id', '=', tenantId)
    .where('corrects_event_id', '=', rootId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.event_id).reverse();
}

/** The events of one device with one state. */
export interface ChainStateCount {
  readonly state: DeviceChainState;
  readonly count: number;
  readonly lastPosition: number;
}

/** Counts the events of a device in a part of the feed by how they fit its chain. */
export async function countChainStates(
  queries: ReadQueries,
  tenantId: TenantId,
  { deviceId, after, until }: { deviceId: string; after: number; until: number },
): Promise<ChainStateCount[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select('device_chain')
    .select((row) => [row.fn.countAll().as('count'), row.fn.max('position').as('last')])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', after)
    .where('position', '<=', until)
    .where('device_id', '=', deviceId)
    .groupBy('device_chain')
    .execute();
  return rows.map((row) => ({
    state: row.device_chain as DeviceChainState,
    count: Number(row.count),
    lastPosition: Number(row.last),
  }));
}

/** Lists the ids and times of the events at these positions. */
export async function listAt(
  queries: ReadQueries,
  tenantId: TenantId,
  positions: readonly number[],
): Promise<{ position: number; eventId: string; receivedAtMs: number }[]> {
  if (positions.length === 0) return [];
  const rows = await queries.db
    .selectFrom('events')
    .select(['position', 'event_id', 'received_at'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('position', positions))
    .execute();
  return rows.map((row) => ({
    position: row.position,
    eventId: row.event_id,
    receivedAtMs: row.received_at,
  }));
}
