import type { Action, CountInterval, Counts, Event, Platform, Severity, ThreatCategory } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { sql } from 'kysely';
import {
  countByTime,
  type FilteredRows,
  matches,
  type ReadQueries,
  readFiltered,
  within,
} from '../../database/index.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { bodyConditions } from './body-conditions.ts';
import { filterKeyConditions } from './filter-key-conditions.ts';

/** A statement that searches the bodies of so many events on SQLite takes a few milliseconds. Usually the keys suffice. */
const BODIES_PER_STATEMENT = 2_000;

export interface FeedFilter {
  /** By the `timestamp` of the device. */
  readonly dated?: TimeRange | undefined;
  readonly received?: TimeRange | undefined;
  readonly severity?: AnyOf<Severity> | undefined;
  readonly category?: AnyOf<ThreatCategory> | undefined;
  readonly action?: AnyOf<Action> | undefined;
  readonly deviceId?: AnyOf | undefined;
  readonly platform?: AnyOf<Platform> | undefined;
  readonly policyId?: AnyOf | undefined;
  readonly indicator?: AnyOf | undefined;
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

/** Lists the matching events of a range. Scans the tenant's key, never the whole table. */
export function listSpan(
  queries: ReadQueries,
  tenantId: TenantId,
  options: { span: FeedSpan; filter: FeedFilter; order: 'oldest' | 'newest'; limit: number },
): Promise<FeedEntry[]> {
  const { span, filter, order, limit } = options;
  const direction = order === 'oldest' ? 'asc' : 'desc';
  return readFiltered(queries, filteredRows(queries, tenantId, { span, filter }), {
    page: { after: undefined, limit },
    direction,
    read: (where, limit) =>
      queries.db
        .selectFrom('events')
        .select(['position', 'body'])
        .where(where)
        .orderBy('position', direction)
        .limit(limit)
        .execute(),
  });
}

/** Counts the matching events of a range by their time of arrival. */
export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  options: { span: FeedSpan; filter: FeedFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const { filter, interval } = options;
  const rows = { ...filteredRows(queries, tenantId, options), time: sql<number>`received_at` };
  return countByTime(queries, rows, { range: filter.received ?? EVER, interval });
}

function filteredRows(
  queries: ReadQueries,
  tenantId: TenantId,
  { span, filter }: { span: FeedSpan; filter: FeedFilter },
): FilteredRows {
  const ofBody = bodyConditions(queries, filter);
  return {
    from: sql.table('events'),
    scope: [sql`tenant_id = ${tenantId}`, sql`position > ${span.after}`, sql`position <= ${span.until}`],
    key: [sql.ref('position')],
    conditions: [
      ...within('timestamp', filter.dated ?? EVER),
      ...within('received_at', filter.received ?? EVER),
      ...matches(queries, 'severity', filter.severity),
      ...matches(queries, 'threat_category', filter.category),
      ...matches(queries, 'device_id', filter.deviceId),
      ...ofBody,
    ],
    indexed: queries.engine === 'sqlite' ? filterKeyConditions(queries, filter) : undefined,
    rowsPerStatement: ofBody.length > 0 ? BODIES_PER_STATEMENT : undefined,
  };
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
  // The next event counts where one was erased.
  const arrived = sql`(select received_at from events where tenant_id = ${tenantId} and position >= (low + high) / 2
    order by position limit 1)`;
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
