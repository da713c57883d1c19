import type {
  CountInterval,
  Counts,
  IncidentCategory,
  IncidentSort,
  IncidentStatus,
  Resolution,
  Severity,
} from '@tps/contract';
import { ID_PREFIXES, SEVERITIES } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import {
  type Condition,
  countByTime,
  type FilteredRows,
  idsWithin,
  matches,
  matchesItems,
  matchesOrNull,
  prepareQuery,
  type Queries,
  type ReadQueries,
  readFiltered,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { CursorPosition } from '../../platform/http/cursors.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { IncidentMember, IncidentRecord, TimelineRecord } from './incident.ts';

export interface IncidentFilter {
  readonly severity?: AnyOf<Severity> | undefined;
  readonly status?: AnyOf<IncidentStatus> | undefined;
  readonly category?: AnyOf<IncidentCategory> | undefined;
  /** `none` finds unassigned incidents. */
  readonly assignee?: AnyOf | undefined;
  readonly tag?: AnyOf | undefined;
  readonly resolution?: AnyOf<Resolution> | undefined;
  readonly deviceId?: AnyOf | undefined;
  readonly created?: TimeRange | undefined;
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentId: string,
): Promise<IncidentRecord | undefined> {
  const row = await queries.db
    .selectFrom('incidents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first, or by `sort` and then newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, sort, page }: { filter: IncidentFilter; sort?: IncidentSort | undefined; page: PageRequest },
): Promise<IncidentRecord[]> {
  const rows = filteredRows(queries, tenantId, { filter, sort });
  const read = async (where: Condition, limit: number) => {
    let query = queries.db.selectFrom('incidents').selectAll().where(where).limit(limit);
    if (sort !== undefined) query = query.orderBy(SORT_KEYS[sort], 'desc');
    return (await query.orderBy('incident_id', 'desc').execute()).map(toRecord);
  };
  return readFiltered(queries, rows, { page, read });
}

/** Returns the position of an incident in the list. */
export function positionOf(incident: IncidentRecord, sort: IncidentSort | undefined): CursorPosition {
  switch (sort) {
    case undefined:
      return [incident.incidentId];
    case 'severity':
      return [SEVERITIES.indexOf(incident.severity), incident.incidentId];
    case 'updated_at':
      return [incident.updatedAtMs, incident.incidentId];
  }
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: IncidentFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, { filter }), time: sql<number>`created_at` };
  return countByTime(queries, rows, { range: filter.created ?? EVER, interval });
}

/** The ranks of severities. Migration 0020 has an index with the same expression. */
const SEVERITY_RANK = sql<number>`case severity when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0 end`;
const SORT_KEYS = { severity: SEVERITY_RANK, updated_at: sql<number>`updated_at` } as const;

function filteredRows(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, sort }: { filter: IncidentFilter; sort?: IncidentSort | undefined },
): FilteredRows {
  const id = sql.ref('incident_id');
  return {
    from: sql.table('incidents'),
    scope: [
      sql`tenant_id = ${tenantId}`,
      ...idsWithin('incident_id', ID_PREFIXES.incident, filter.created ?? EVER),
    ],
    key: sort === undefined ? [id] : [SORT_KEYS[sort], id],
    conditions: [
      ...matches(queries, 'severity', filter.severity),
      ...matches(queries, 'status', filter.status),
      ...matches(queries, 'category', filter.category),
      ...matches(queries, 'resolution', filter.resolution),
      ...matchesOrNull(queries, 'assignee', { filter: filter.assignee, nullWord: 'none' }),
      ...matchesItems(queries, 'tags', filter.tag),
      ...(filter.deviceId ? [hasDevice(queries, filter.deviceId)] : []),
    ],
  };
}

/** Whether one of the devices belongs to the incident. */
function hasDevice(queries: ReadQueries, { not, values }: AnyOf): Condition {
  const found = sql<boolean>`exists (select 1 from incident_members as members
    where members.tenant_id = incidents.tenant_id and members.incident_id = incidents.incident_id
      and members.kind = 'device' and ${queries.anyOf(sql.ref('members.member_id'), values)})`;
  return not ? sql<boolean>`not ${found}` : found;
}

/** Finds the incidents about these devices or indicators with an event at or after a time, in any status. */
export async function findAbout(
  queries: ReadQueries,
  tenantId: TenantId,
  { correlationKeys, fromMs }: { correlationKeys: readonly string[]; fromMs: number },
): Promise<IncidentRecord[]> {
  return (await selectAbout(queries, { tenantId, correlationKeys, fromMs })).map(toRecord);
}

const selectAbout = prepareQuery(
  (queries, values: { tenantId: TenantId; correlationKeys: readonly string[]; fromMs: number }) =>
    queries.db
      .selectFrom(
        queries.rowsOf('incidents', {
          tenantId: values.tenantId,
          column: 'correlation_key',
          values: values.correlationKeys,
        }),
      )
      .selectAll()
      .where('last_event_at', '>=', values.fromMs),
);

/** Whether anyone but the service has changed or commented the incident. */
export async function isChangedByPerson(
  queries: ReadQueries,
  tenantId: TenantId,
  incidentId: string,
): Promise<boolean> {
  const row = await queries.db
    .selectFrom('incident_timeline')
    .select('entry_id')
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .where('actor', '!=', 'service')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveMany(
  tx: Queries,
  tenantId: TenantId,
  incidents: readonly IncidentRecord[],
): Promise<void> {
  await tx.upsertMany(
    'incidents',
    ['tenant_id', 'incident_id'],
    incidents.map((incident) => toRow(tenantId, incident)),
  );
}

/** Adds members; existing ones stay. */
export async function addMembers(
  tx: Queries,
  tenantId: TenantId,
  members: readonly IncidentMember[],
): Promise<void> {
  await tx.upsertMany(
    'incident_members',
    ['tenant_id', 'incident_id', 'kind', 'member_id'],
    members.map(({ incidentId, kind, memberId }) => ({
      tenant_id: tenantId,
      incident_id: incidentId,
      kind,
      member_id: memberId,
    })),
  );
}

export async function addTimeline(
  tx: Queries,
  tenantId: TenantId,
  entries: readonly TimelineRecord[],
): Promise<void> {
  await tx.insertMany(
    'incident_timeline',
    entries.map((entry) => ({
      tenant_id: tenantId,
      incident_id: entry.incidentId,
      entry_id: entry.entryId,
      at: entry.atMs,
      kind: entry.kind,
      actor: entry.actor,
      message: entry.message,
      comment: entry.comment ?? null,
    })),
  );
}

function toRow(tenantId: TenantId, incident: IncidentRecord): Row<'incidents'> {
  return {
    tenant_id: tenantId,
    incident_id: incident.incidentId,
    category: incident.category,
    correlation_key: incident.correlationKey,
    severity: incident.severity,
    status: incident.status,
    message: incident.message,
    resolution: incident.resolution,
    assignee: incident.assignee,
    tags: JSON.stringify(incident.tags),
    version: incident.version,
    created_at: incident.createdAtMs,
    updated_at: incident.updatedAtMs,
    last_event_at: incident.lastEventAtMs,
    acknowledged_at: incident.acknowledgedAtMs,
    resolved_at: incident.resolvedAtMs,
    first_resolved_at: incident.firstResolvedAtMs,
  };
}

function toRecord(row: Row<'incidents'>): IncidentRecord {
  return {
    incidentId: row.incident_id,
    category: row.category as IncidentCategory,
    correlationKey: row.correlation_key,
    severity: row.severity as Severity,
    status: row.status as IncidentStatus,
    message: row.message,
    resolution: row.resolution as Resolution | null,
    assignee: row.assignee,
    tags: JSON.parse(row.tags) as string[],
    version: row.version,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    lastEventAtMs: row.last_event_at,
    acknowledgedAtMs: row.acknowledged_at,
    resolvedAtMs: row.resolved_at,
    firstResolvedAtMs: row.first_resolved_at,
  };
}
