import type { IncidentCategory, IncidentStatus, Resolution, Severity } from '@tps/contract';
import type { Insertable, Selectable } from 'kysely';
import { prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
import type { IncidentsTable } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { IncidentMember, IncidentRecord, TimelineRecord } from './incident.ts';

export interface IncidentFilter {
  readonly severity: Severity | undefined;
  readonly status: IncidentStatus | undefined;
  readonly category: IncidentCategory | undefined;
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

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: IncidentFilter; page: PageRequest },
): Promise<IncidentRecord[]> {
  let query = queries.db
    .selectFrom('incidents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('incident_id', 'desc')
    .limit(page.limit);
  if (filter.severity !== undefined) query = query.where('severity', '=', filter.severity);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.category !== undefined) query = query.where('category', '=', filter.category);
  if (page.after !== undefined) query = query.where('incident_id', '<', String(page.after[0]));
  return (await query.execute()).map(toRecord);
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
    })),
  );
}

function toRow(tenantId: TenantId, incident: IncidentRecord): Insertable<IncidentsTable> {
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
  };
}

function toRecord(row: Selectable<IncidentsTable>): IncidentRecord {
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
  };
}
