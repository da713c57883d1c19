import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore, HIGH_SEVERITIES } from '../../feed/index.ts';
import { PAGE } from './rows-read-model.ts';

/** An event and its links to derived rows. It counts unless a later correction of the same root has replaced it. */
export type LinkedEvent = Pick<
  Row<'events'>,
  | 'event_id'
  | 'position'
  | 'received_at'
  | 'device_id'
  | 'threat_category'
  | 'severity'
  | 'threat_id'
  | 'alert_id'
  | 'corrects_event_id'
  | 'device_chain'
  | 'body'
> & { readonly decided_at: number; readonly replaced_at: number | null };

/** Lists the events of these threats, whether they count or not. */
export async function listOfThreats(
  queries: ReadQueries,
  tenantId: string,
  threatIds: readonly string[],
): Promise<LinkedEvent[]> {
  return linked(queries, tenantId)
    .where(queries.anyOf(sql.ref('e.threat_id'), threatIds))
    .execute();
}

/** Reads the events of a tenant in the order of the feed, page by page. */
export async function* pagesOfEvents(
  queries: ReadQueries,
  tenantId: string,
  { isCorrection }: { isCorrection?: true } = {},
): AsyncGenerator<LinkedEvent[]> {
  let after = 0;
  for (;;) {
    const page = linked(queries, tenantId).where('e.position', '>', after).orderBy('e.position').limit(PAGE);
    const events = await (isCorrection ? page.where('e.corrects_event_id', 'is not', null) : page).execute();
    if (events.length > 0) yield events;
    after = events.at(-1)?.position ?? after;
    if (events.length < PAGE) return;
  }
}

/** Lists these events, whether they count or not. */
export async function listEvents(
  queries: ReadQueries,
  tenantId: string,
  eventIds: readonly string[],
): Promise<LinkedEvent[]> {
  return linked(queries, tenantId)
    .where(queries.anyOf(sql.ref('e.event_id'), eventIds))
    .execute();
}

export async function findThreats(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  threatIds: readonly string[],
): Promise<Row<'threats'>[]> {
  return db
    .selectFrom('threats')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(anyOf('threat_id', threatIds))
    .execute();
}

export async function findAlerts(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  alertIds: readonly string[],
): Promise<Row<'alerts'>[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(anyOf('alert_id', alertIds))
    .execute();
}

export async function findTraces(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  traceIds: readonly string[],
): Promise<{ trace_id: string; job_id: string }[]> {
  return db
    .selectFrom('traces')
    .select(['trace_id', 'job_id'])
    .where('tenant_id', '=', tenantId)
    .where(anyOf('trace_id', traceIds))
    .execute();
}

/** Lists an event and its corrections, oldest first. */
export async function listFamily(
  queries: ReadQueries,
  tenantId: string,
  rootId: string,
): Promise<Pick<LinkedEvent, 'position' | 'alert_id'>[]> {
  return queries.db
    .selectFrom('events')
    .select(['position', 'alert_id'])
    .where('tenant_id', '=', tenantId)
    .where((event) => event.or([event('event_id', '=', rootId), event('corrects_event_id', '=', rootId)]))
    .orderBy('position')
    .execute();
}

/** Whether one of these events has a high severity and lies before a position. */
export async function hasSevereBefore(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  { eventIds, position }: { eventIds: readonly string[]; position: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .where(anyOf('event_id', eventIds))
    .where('severity', 'in', HIGH_SEVERITIES)
    .where('position', '<', position)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns those of these times at which an event arrived that was erased on request. */
export async function findErasedAt(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  timesMs: readonly number[],
): Promise<number[]> {
  // A store of an older version has no such table, but then neither is anything missing.
  if (timesMs.length === 0) return [];
  const rows = await db
    .selectFrom('erased_events')
    .select('received_at')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where(anyOf('received_at', timesMs))
    .execute();
  return rows.map((row) => row.received_at);
}

/** Returns the arrival of the first event that retention has left; undefined if there is none. */
export async function findFirstKept(
  { db }: ReadQueries,
  tenantId: string,
): Promise<{ position: number; receivedAtMs: number } | undefined> {
  const row = await db
    .selectFrom('events')
    .select(['position', 'received_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row && { position: row.position, receivedAtMs: row.received_at };
}

/** Returns the time since when no event was purged: 0 if none was. */
export async function findFirstWhole(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const first = await findFirstKept(queries, tenantId);
  if (first) return first.position === 1 ? 0 : first.receivedAtMs;
  const { position } = await feedHeadStore.read(queries, tenantId);
  return position === 0 ? 0 : Number.POSITIVE_INFINITY;
}

function linked({ db }: ReadQueries, tenantId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('events as root', (join) =>
      join.onRef('root.tenant_id', '=', 'e.tenant_id').onRef('root.event_id', '=', 'e.corrects_event_id'),
    )
    .select(['e.event_id', 'e.position', 'e.received_at', 'e.threat_id', 'e.alert_id', 'e.body'])
    .select(['e.device_id', 'e.threat_category', 'e.severity', 'e.corrects_event_id', 'e.device_chain'])
    .select((event) => event.fn.coalesce('root.timestamp', 'e.timestamp').as('decided_at'))
    .select((event) =>
      event
        .selectFrom('events as later')
        .select((later) => later.fn.max('later.position').as('position'))
        .whereRef('later.tenant_id', '=', 'e.tenant_id')
        .whereRef('later.corrects_event_id', '=', event.fn.coalesce('e.corrects_event_id', 'e.event_id'))
        .whereRef('later.position', '>', 'e.position')
        .as('replaced_at'),
    )
    .where('e.tenant_id', '=', tenantId);
}
