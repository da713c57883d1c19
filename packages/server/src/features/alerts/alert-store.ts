import type { AlertStatus, Severity, ThreatCategory } from '@tps/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
import type { AlertsTable } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { HIGH_SEVERITIES } from '../feed/index.ts';
import type { AlertRecord } from './alert.ts';
import { selectMembers } from './incident-members-read-model.ts';

export interface AlertFilter {
  readonly severity: Severity | undefined;
  readonly status: AlertStatus | undefined;
  readonly deviceId: string | undefined;
  readonly incidentId: string | undefined;
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
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: AlertFilter; page: PageRequest },
): Promise<AlertRecord[]> {
  let query = queries.db
    .selectFrom('alerts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('alert_id', 'desc')
    .limit(page.limit);
  if (filter.severity !== undefined) query = query.where('severity', '=', filter.severity);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.deviceId !== undefined) query = query.where('device_id', '=', filter.deviceId);
  if (filter.incidentId !== undefined) {
    const { incidentId } = filter;
    query = query.where('alert_id', 'in', selectMembers(queries, tenantId, incidentId));
  }
  if (page.after !== undefined) query = query.where('alert_id', '<', String(page.after[0]));
  return (await query.execute()).map(toRecord);
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

function toRow(tenantId: TenantId, alert: AlertRecord): Insertable<AlertsTable> {
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

function toRecord(row: Selectable<AlertsTable>): AlertRecord {
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
