import { sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { MemberKind } from '../../incidents/index.ts';

/** An incident, with the number of its versions that people have made; events have made the others. */
export type IncidentRow = Row<'incidents'> & { readonly changed_by_people: number };

/** An event without its text, which can be long. */
export type EventRow = Pick<
  Row<'events'>,
  | 'event_id'
  | 'position'
  | 'timestamp'
  | 'received_at'
  | 'device_id'
  | 'device_chain'
  | 'alert_id'
  | 'threat_id'
  | 'corrects_event_id'
>;

const EVENT_COLUMNS = [
  'event_id',
  'position',
  'timestamp',
  'received_at',
  'device_id',
  'device_chain',
  'alert_id',
  'threat_id',
  'corrects_event_id',
] as const;

/** Reads incidents with the count of their changes in one statement, so that both are consistent. */
export async function findIncidents(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentIds: readonly string[],
): Promise<IncidentRow[]> {
  const rows = await queries.db
    .selectFrom('incidents')
    .selectAll()
    .select((incident) =>
      incident
        .selectFrom('incident_timeline as entry')
        .select((entry) => entry.fn.countAll<number>().as('changes'))
        .whereRef('entry.tenant_id', '=', 'incidents.tenant_id')
        .whereRef('entry.incident_id', '=', 'incidents.incident_id')
        .where('entry.kind', '=', 'changed')
        .where('entry.actor', '!=', 'service')
        .as('changed_by_people'),
    )
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('incident_id', incidentIds))
    .execute();
  return rows.map((row) => ({ ...row, changed_by_people: Number(row.changed_by_people) }));
}

/** Lists the newest members of one kind, and counts them all. */
export async function listMembers(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidentIds, kind, limit }: { incidentIds: readonly string[]; kind: MemberKind; limit: number },
): Promise<{ members: { incidentId: string; memberId: string }[]; total: number }> {
  const ofKind = queries.db
    .selectFrom('incident_members')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('incident_id', incidentIds))
    .where('kind', '=', kind);
  const rows = await ofKind
    .select(['incident_id', 'member_id'])
    .orderBy('member_id', 'desc')
    .orderBy('incident_id')
    .limit(limit)
    .execute();
  const counted = await ofKind
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    members: rows.map((row) => ({ incidentId: row.incident_id, memberId: row.member_id })),
    total: Number(counted.total),
  };
}

/** Lists the messages with which the service opened these incidents. Each names the event that opened it. */
export async function listOpenings(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentIds: readonly string[],
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('incident_timeline')
    .select('message')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('incident_id', incidentIds))
    .where('kind', '=', 'opened')
    .where('actor', '=', 'service')
    .orderBy('incident_id')
    .limit(incidentIds.length)
    .execute();
  return rows.map((row) => row.message);
}

export async function findAlerts(queries: ReadQueries, tenantId: TenantId, alertIds: readonly string[]) {
  return queries.db
    .selectFrom('alerts')
    .select(['alert_id', 'incident_id', 'threat_id', 'device_id', 'event_ids'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('alert_id', alertIds))
    .execute();
}

export async function findEvents(
  queries: ReadQueries,
  tenantId: TenantId,
  eventIds: readonly string[],
): Promise<EventRow[]> {
  return queries.db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('event_id', eventIds))
    .execute();
}

/** Finds the texts of the events at these positions. */
export async function findBodies(
  queries: ReadQueries,
  tenantId: TenantId,
  positions: readonly number[],
): Promise<Map<number, string>> {
  const rows = await queries.db
    .selectFrom('events')
    .select(['position', 'body'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('position', positions))
    .execute();
  return new Map(rows.map((row) => [row.position, row.body]));
}

/** Finds the newest correction of each of these root events. Only that one counts. */
export async function findCorrections(
  queries: ReadQueries,
  tenantId: TenantId,
  rootIds: readonly string[],
): Promise<EventRow[]> {
  return queries.db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('position', 'in', (row) =>
      row
        .selectFrom('events as correction')
        .select((correction) => correction.fn.max('correction.position').as('newest'))
        .where('correction.tenant_id', '=', tenantId)
        .where('correction.corrects_event_id', 'is not', null)
        .where(queries.anyOf(sql.ref('correction.corrects_event_id'), rootIds))
        .groupBy('correction.corrects_event_id'),
    )
    .execute();
}

/** Lists the newest events of these threats that the devices decided by a given time. */
export async function listNewestOfThreats(
  queries: ReadQueries,
  tenantId: TenantId,
  { threatIds, untilMs, limit }: { threatIds: readonly string[]; untilMs?: number; limit: number },
): Promise<EventRow[]> {
  return queries.db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('threat_id', 'is not', null)
    .where(queries.anyOf('threat_id', threatIds))
    .where('timestamp', '<=', untilMs ?? Number.MAX_SAFE_INTEGER)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
}

/** Lists the newest events that a device decided in a span of time, within a range of feed positions. */
export async function listNewestOfDevice(
  queries: ReadQueries,
  tenantId: TenantId,
  span: {
    deviceId: string;
    afterPosition: number;
    untilPosition: number;
    fromMs: number;
    toMs: number;
    limit: number;
  },
): Promise<EventRow[]> {
  return queries.db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', span.deviceId)
    .where('position', '>', span.afterPosition)
    .where('position', '<=', span.untilPosition)
    .where('timestamp', '>=', span.fromMs)
    .where('timestamp', '<=', span.toMs)
    .orderBy('position', 'desc')
    .limit(span.limit)
    .execute();
}

/** Leaves out the last contact, which changes with every request: the same case must read the same each time. */
export async function findDevices(queries: ReadQueries, tenantId: TenantId, deviceIds: readonly string[]) {
  return queries.db
    .selectFrom('devices')
    .select(['device_id', 'name', 'platform', 'status', 'agent_version', 'revoked_at'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('device_id', deviceIds))
    .execute();
}
