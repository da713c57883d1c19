import type { AlertStatus, CountInterval, Counts, Severity, ThreatCategory } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import {
  countByTime,
  type FilteredRows,
  idsWithin,
  matches,
  prepareQuery,
  type Queries,
  type ReadQueries,
  readFiltered,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { HIGH_SEVERITIES } from '../feed/index.ts';
import type { AlertRecord } from './alert.ts';
import { memberOf, selectMembers } from './incident-members-read-model.ts';

export interface AlertFilter {
  readonly severity?: AnyOf<Severity> | undefined;
  readonly status?: AnyOf<AlertStatus> | undefined;
  readonly category?: AnyOf<ThreatCategory> | undefined;
  readonly deviceId?: AnyOf | undefined;
  readonly incidentId?: AnyOf | undefined;
  readonly threatId?: AnyOf | undefined;
  readonly created?: TimeRange | undefined;
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  alertId: string,
): Promise<AlertRecord | undefined> {
  const row = await queries.db
    .selectFrom('alerts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('alert_id', '=', alertId)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: AlertFilter; page: PageRequest },
): Promise<AlertRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = queries.db.selectFrom('alerts').selectAll().where(where);
      return (await query.orderBy('alert_id', 'desc').limit(limit).execute()).map(toRecord);
    },
  });
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: AlertFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`created_at` };
  return countByTime(queries, rows, { range: filter.created ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: AlertFilter): FilteredRows {
  return {
    from: sql.table('alerts'),
    scope: [
      sql`tenant_id = ${tenantId}`,
      ...idsWithin('alert_id', ID_PREFIXES.alert, filter.created ?? EVER),
      // In the scope, because the key finds each member: there are few, and no other alerts are examined.
      ...memberOf(queries, tenantId, { column: 'alert_id', incidents: filter.incidentId }),
    ],
    key: [sql.ref('alert_id')],
    conditions: [
      ...matches(queries, 'severity', filter.severity),
      ...matches(queries, 'status', filter.status),
      ...matches(queries, 'threat_category', filter.category),
      ...matches(queries, 'device_id', filter.deviceId),
      ...matches(queries, 'threat_id', filter.threatId),
    ],
  };
}

/** Finds the open alerts with these merge keys whose first event lies within a time range. */
export async function findOpen(
  queries: ReadQueries,
  tenantId: TenantId,
  { mergeKeys, fromMs, toMs }: { mergeKeys: readonly string[]; fromMs: number; toMs: number },
): Promise<AlertRecord[]> {
  if (mergeKeys.length === 0) return [];
  return (await selectOpen(queries, { tenantId, mergeKeys, fromMs, toMs })).map(toRecord);
}

const selectOpen = prepareQuery(
  (queries, values: { tenantId: TenantId; mergeKeys: readonly string[]; fromMs: number; toMs: number }) =>
    queries.db
      .selectFrom(
        queries.rowsOf('alerts', {
          tenantId: values.tenantId,
          column: 'merge_key',
          values: values.mergeKeys,
          // A literal, not a parameter: only then can the planner see that the index of open alerts covers the query.
          where: sql<boolean>`status = 'open'`,
        }),
      )
      .selectAll()
      .where('first_event_at', '>=', values.fromMs)
      .where('first_event_at', '<=', values.toMs),
);

export async function saveMany(
  tx: Queries,
  tenantId: TenantId,
  alerts: readonly AlertRecord[],
): Promise<void> {
  await tx.upsertMany(
    'alerts',
    ['tenant_id', 'alert_id'],
    alerts.map((alert) => toRow(tenantId, alert)),
  );
}

/** Whether the incident has an open alert of severity high or critical, beside this one. */
export async function hasOtherSevere(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidentId, alertId }: { incidentId: string; alertId: string },
): Promise<boolean> {
  const row = await queries.db
    .selectFrom('alerts')
    .select('alert_id')
    .where('tenant_id', '=', tenantId)
    .where('alert_id', 'in', selectMembers(queries, tenantId, incidentId))
    .where('alert_id', '!=', alertId)
    .where('incident_id', '=', incidentId)
    .where('status', '=', 'open')
    .where('severity', 'in', HIGH_SEVERITIES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Resolves the open alerts of this incident. */
export async function resolveAlertsOfIncident(
  tx: Queries,
  tenantId: TenantId,
  { incidentId, nowMs }: { incidentId: string; nowMs: number },
): Promise<void> {
  await tx.db
    .updateTable('alerts')
    .set({ status: 'resolved', updated_at: nowMs })
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .where('status', '=', 'open')
    .where('alert_id', 'in', selectMembers(tx, tenantId, incidentId))
    .execute();
}

function toRow(tenantId: TenantId, alert: AlertRecord): Row<'alerts'> {
  return {
    tenant_id: tenantId,
    alert_id: alert.alertId,
    device_id: alert.deviceId,
    threat_category: alert.category,
    severity: alert.severity,
    title: alert.title,
    status: alert.status,
    event_ids: JSON.stringify(alert.eventIds),
    threat_id: alert.threatId,
    incident_id: alert.incidentId,
    merge_key: alert.mergeKey,
    first_event_at: alert.firstEventAtMs,
    created_at: alert.createdAtMs,
    updated_at: alert.updatedAtMs,
  };
}

function toRecord(row: Row<'alerts'>): AlertRecord {
  return {
    alertId: row.alert_id,
    deviceId: row.device_id,
    category: row.threat_category as ThreatCategory,
    severity: row.severity as Severity,
    title: row.title,
    status: row.status as AlertStatus,
    eventIds: JSON.parse(row.event_ids) as string[],
    threatId: row.threat_id,
    incidentId: row.incident_id,
    mergeKey: row.merge_key,
    firstEventAtMs: row.first_event_at,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
