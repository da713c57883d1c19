import type { Action, Event, Severity, ThreatCategory } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

export interface FeedFilter {
  readonly sinceMs: number | undefined;
  readonly receivedSinceMs: number | undefined;
  readonly severity: Severity | undefined;
  readonly category: ThreatCategory | undefined;
  readonly deviceId: string | undefined;
}

/** A range of the feed: positions after `after` and up to `until`. */
export interface FeedSpan {
  readonly after: number;
  readonly until: number;
}

export interface FeedEntry {
  readonly position: number;
  /** The stored JSON text. */
  readonly body: string;
}

/** Lists the matching events of a range, oldest first. Scans the tenant's key, never the whole table. */
export async function listSpan(
  queries: ReadQueries,
  tenantId: TenantId,
  { span, filter, limit }: { span: FeedSpan; filter: FeedFilter; limit: number },
): Promise<FeedEntry[]> {
  let query = queries.db
    .selectFrom('events')
    .select(['position', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', span.after)
    .where('position', '<=', span.until)
    .orderBy('position')
    .limit(limit);
  if (filter.sinceMs !== undefined) query = query.where('timestamp', '>=', filter.sinceMs);
  if (filter.receivedSinceMs !== undefined) query = query.where('received_at', '>=', filter.receivedSinceMs);
  if (filter.severity !== undefined) query = query.where('severity', '=', filter.severity);
  if (filter.category !== undefined) query = query.where('threat_category', '=', filter.category);
  if (filter.deviceId !== undefined) query = query.where('device_id', '=', filter.deviceId);
  return query.execute();
}

/** The parts of an event that redelivery needs. */
export interface StoredEvent {
  readonly eventId: string;
  readonly position: number;
  readonly receivedAtMs: number;
  readonly severity: Severity;
  readonly action: Action;
}

/** Lists the events of a range, oldest first. */
export async function listEvents(
  queries: ReadQueries,
  tenantId: TenantId,
  span: FeedSpan,
): Promise<StoredEvent[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select(['event_id', 'position', 'received_at', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('position', '>', span.after)
    .where('position', '<=', span.until)
    .orderBy('position')
    .execute();
  return rows.map((row) => {
    const { severity, action_taken: action } = readJson(row.body) as Event;
    return {
      eventId: row.event_id,
      position: row.position,
      receivedAtMs: row.received_at,
      severity,
      action,
    };
  });
}

/**
 * Finds the last position whose event arrived before a time: a binary search, because arrival times ascend with
 * positions. About twenty steps search a million events, without an index.
 */
export async function findPositionBefore(
  queries: ReadQueries,
  tenantId: TenantId,
  receivedAtMs: number,
): Promise<number> {
  // When no event is left, all of them arrived before.
  const end = sql`(select h.position from feed_heads h where h.tenant_id = ${tenantId})`;
  // SQLite allows a recursive table in the outermost FROM only, so each step looks its row up once per bound.
  const arrived = sql`(select received_at from events where tenant_id = ${tenantId} and position = (low + high) / 2)`;
  const query = sql<{ position: number }>`
    with recursive search(low, high) as (
      select coalesce(min(position), ${end} + 1, 1), coalesce(max(position), ${end}, 0) + 1
      from events where tenant_id = ${tenantId}
      union all
      select
        case when ${arrived} < ${receivedAtMs} then (low + high) / 2 + 1 else low end,
        case when ${arrived} < ${receivedAtMs} then high else (low + high) / 2 end
      from search where low < high
    )
    select low - 1 as position from search where low = high`;
  const { rows } = await query.execute(queries.db as never);
  return rows[0]?.position ?? 0;
}

/** Finds the position of the oldest event that is still stored; undefined when there are none. */
export async function findFirstPosition(
  queries: ReadQueries,
  tenantId: TenantId,
): Promise<number | undefined> {
  const { first } = await queries.db
    .selectFrom('events')
    .select((row) => row.fn.min('position').as('first'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return first ?? undefined;
}

/** Lists the stored texts of a range whose events have one of the categories, newest first. */
export async function listBodiesOf(
  queries: ReadQueries,
  tenantId: TenantId,
  { span, categories }: { span: FeedSpan; categories: readonly ThreatCategory[] },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('events')
    .select('body')
    .where('tenant_id', '=', tenantId)
    .where('position', '>', span.after)
    .where('position', '<=', span.until)
    .where('threat_category', 'in', categories)
    .orderBy('position', 'desc')
    .execute();
  return rows.map(({ body }) => body);
}

/** Finds when the next event after a position arrived; undefined at the end of the feed. */
export async function findArrivalAfter(
  queries: ReadQueries,
  tenantId: TenantId,
  position: number,
): Promise<number | undefined> {
  const row = await queries.db
    .selectFrom('events')
    .select('received_at')
    .where('tenant_id', '=', tenantId)
    .where('position', '>', position)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.received_at;
}
