import { type Selectable, sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { AlertsTable, EventsTable, ThreatsTable } from '../../../database/tables/index.ts';

/** An event and its links to derived rows. It counts unless a later correction of the same root has replaced it. */
export type LinkedEvent = Pick<
  Selectable<EventsTable>,
  'event_id' | 'position' | 'received_at' | 'threat_id' | 'alert_id' | 'body'
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
): Promise<Selectable<ThreatsTable>[]> {
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
): Promise<Selectable<AlertsTable>[]> {
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

function linked({ db }: ReadQueries, tenantId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('events as root', (join) =>
      join.onRef('root.tenant_id', '=', 'e.tenant_id').onRef('root.event_id', '=', 'e.corrects_event_id'),
    )
    .select(['e.event_id', 'e.position', 'e.received_at', 'e.threat_id', 'e.alert_id', 'e.body'])
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
