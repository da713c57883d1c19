import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { hasFields } from './has-fields.ts';

/** What the events that may have joined an incident say about it. */
export interface JoinedEvents {
  /** The rank of the highest severity of all of them, and of those that certainly joined it. */
  readonly highest: number;
  readonly certain: number;
  /** Whether the incident has the time of one of them. */
  readonly hasUpdate: boolean;
  readonly hasLast: boolean;
}

const NONE: JoinedEvents = { highest: -1, certain: -1, hasUpdate: false, hasLast: false };
const RANK = sql`case e.severity when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0 end`;

/** Lists the changes of these incidents in the audit log, oldest first. */
export async function listChanges(
  { db, anyOf }: ReadQueries,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<Row<'audit_entries'>[]> {
  const entries = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(anyOf('resource_id', incidentIds))
    .where('action', '=', 'incident.update')
    .where('outcome', '=', 'success')
    .orderBy('audit_id')
    .execute();
  return entries.filter(hasFields);
}

/** Returns those of these alerts or threats that are in an incident that has ended at some time. */
export async function findEnded(
  queries: ReadQueries,
  tenantId: string,
  { kind, ids }: { kind: 'alert' | 'threat'; ids: readonly string[] },
): Promise<Set<string>> {
  const query = sql<{ id: string }>`
    select distinct m.member_id as id from incident_members m
    join incidents i on i.tenant_id = m.tenant_id and i.incident_id = m.incident_id
    where m.tenant_id = ${tenantId} and m.kind = ${kind} and ${queries.anyOf(sql.ref('m.member_id'), ids)}
      and (i.status in ('resolved', 'closed') or exists (
        select 1 from incident_timeline t
        where t.tenant_id = i.tenant_id and t.incident_id = i.incident_id
          and (t.message like '%Status from % to resolved%' or t.message like '%Status from % to closed%')))`;
  const { rows } = await query.execute(queries.db as never);
  return new Set(rows.map((row) => row.id));
}

/** Lists, as `<incident> <device>`, the devices that are members of these incidents, and those of their threats. */
export async function listDevices(
  queries: ReadQueries,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<Record<'members' | 'ofThreats', Set<string>>> {
  const query = sql<{ kind: string; name: string }>`
    select distinct m.kind, m.incident_id || ' ' || coalesce(t.device_id, m.member_id) as name
    from incident_members m
    left join threats t on t.tenant_id = m.tenant_id and t.threat_id = m.member_id and m.kind = 'threat'
    where m.tenant_id = ${tenantId} and m.kind in ('device', 'threat')
      and ${queries.anyOf(sql.ref('m.incident_id'), incidentIds)}`;
  const { rows } = await query.execute(queries.db as never);
  const namesOf = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.name));
  return { members: namesOf('device'), ofThreats: namesOf('threat') };
}

/**
 * Sums up the events that may have joined each of these incidents: those of its threats or, for a broken event chain, those
 * where the chain of the device broke. An event has certainly joined the only incident of its alert.
 */
export async function sumUpEvents(
  queries: ReadQueries,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<(incidentId: string) => JoinedEvents> {
  const query = sql<{ id: string; highest: number; certain: number; updated: number; last: number }>`
    with joined as (
      select m.incident_id, e.event_id from incident_members m
      join events e on e.tenant_id = m.tenant_id and e.threat_id = m.member_id
      where m.tenant_id = ${tenantId} and m.kind = 'threat' and ${queries.anyOf(sql.ref('m.incident_id'), incidentIds)}
      union
      select i.incident_id, e.event_id from incidents i
      join events e on e.tenant_id = i.tenant_id and e.device_id = i.correlation_key
      where i.tenant_id = ${tenantId} and i.category = 'device_integrity'
        and e.device_chain in ('gap', 'fork') and ${queries.anyOf(sql.ref('i.incident_id'), incidentIds)}
    )
    select i.incident_id as id, max(${RANK}) as highest,
      max(case when i.category <> 'campaign' and a.incident_id = i.incident_id and (
        select count(*) from incident_members o
        join incidents x on x.tenant_id = o.tenant_id and x.incident_id = o.incident_id
        where o.tenant_id = i.tenant_id and o.kind = 'alert' and o.member_id = a.alert_id
          and x.category <> 'campaign'
      ) = 1 and ${RANK} >= 2 then ${RANK} else -1 end) as certain,
      max(case when e.received_at = i.updated_at then 1 else 0 end) as updated,
      max(case when coalesce(root.timestamp, e.timestamp) = i.last_event_at then 1 else 0 end) as last
    from joined j
    join incidents i on i.tenant_id = ${tenantId} and i.incident_id = j.incident_id
    join events e on e.tenant_id = i.tenant_id and e.event_id = j.event_id and e.received_at >= i.created_at
    left join events root on root.tenant_id = e.tenant_id and root.event_id = e.corrects_event_id
    left join alerts a on a.tenant_id = e.tenant_id and a.alert_id = e.alert_id
    group by i.incident_id`;
  const { rows } = await query.execute(queries.db as never);
  const sums = new Map(
    rows.map((row) => [
      row.id,
      {
        highest: Number(row.highest),
        certain: Number(row.certain),
        hasUpdate: Number(row.updated) === 1,
        hasLast: Number(row.last) === 1,
      },
    ]),
  );
  return (incidentId) => sums.get(incidentId) ?? NONE;
}
