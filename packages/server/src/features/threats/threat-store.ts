import type { CountInterval, Counts, Severity, ThreatCategory, ThreatStatus } from '@tps/contract';
import { sql } from 'kysely';
import {
  countByTime,
  countFiltered,
  type FilteredRows,
  matches,
  matchesItems,
  prepareQuery,
  type Queries,
  type ReadQueries,
  readFiltered,
  within,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { type AnyOf, EVER, type TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { memberOf, selectMembers } from './incident-members-read-model.ts';
import type { Sighting, ThreatRecord } from './threat.ts';

export interface ThreatFilter {
  readonly detected?: TimeRange | undefined;
  readonly severity?: AnyOf<Severity> | undefined;
  readonly status?: AnyOf<ThreatStatus> | undefined;
  readonly deviceId?: AnyOf | undefined;
  readonly category?: AnyOf<ThreatCategory> | undefined;
  readonly incidentId?: AnyOf | undefined;
  readonly indicator?: AnyOf | undefined;
  /** An active threat last seen at or before this time is shown as resolved. */
  readonly quietSinceMs: number;
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  threatId: string,
): Promise<ThreatRecord | undefined> {
  const [threat] = await findMany(queries, tenantId, [threatId]);
  return threat;
}

export async function findMany(
  queries: ReadQueries,
  tenantId: TenantId,
  threatIds: readonly string[],
): Promise<ThreatRecord[]> {
  if (threatIds.length === 0) return [];
  return (await selectThreats(queries, { tenantId, threatIds })).map(toRecord);
}

const selectThreats = prepareQuery(
  (queries, { tenantId, threatIds }: { tenantId: TenantId; threatIds: readonly string[] }) =>
    queries.db
      .selectFrom('threats')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(queries.anyOf('threat_id', threatIds)),
);

/** Newest first. */
export function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page }: { filter: ThreatFilter; page: PageRequest },
): Promise<ThreatRecord[]> {
  return readFiltered(queries, filteredRows(queries, tenantId, filter), {
    page,
    read: async (where, limit) => {
      const query = queries.db.selectFrom('threats').selectAll().where(where);
      return (await query.orderBy('threat_id', 'desc').limit(limit).execute()).map(toRecord);
    },
  });
}

export function count(queries: ReadQueries, tenantId: TenantId, filter: ThreatFilter): Promise<number> {
  return countFiltered(queries, filteredRows(queries, tenantId, filter));
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: ThreatFilter; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...filteredRows(queries, tenantId, filter), time: sql<number>`detected_at` };
  return countByTime(queries, rows, { range: filter.detected ?? EVER, interval });
}

function filteredRows(queries: ReadQueries, tenantId: TenantId, filter: ThreatFilter): FilteredRows {
  const status = sql`case when status = 'active' and last_seen_at <= ${filter.quietSinceMs} then 'resolved' else status end`;
  return {
    from: sql.table('threats'),
    scope: [
      sql`tenant_id = ${tenantId}`,
      // In the scope, because the key finds each member: there are few, and no other threats are examined.
      ...memberOf(queries, tenantId, { column: 'threat_id', incidents: filter.incidentId }),
    ],
    key: [sql.ref('threat_id')],
    conditions: [
      ...within('detected_at', filter.detected ?? EVER),
      ...matches(queries, 'severity', filter.severity),
      ...matches(queries, status, filter.status),
      ...matches(queries, 'device_id', filter.deviceId),
      ...matches(queries, 'threat_category', filter.category),
      ...matchesItems(queries, 'indicators', filter.indicator),
    ],
  };
}

export async function saveMany(
  tx: Queries,
  tenantId: TenantId,
  threats: readonly ThreatRecord[],
): Promise<void> {
  await tx.upsertMany(
    'threats',
    ['tenant_id', 'threat_id'],
    threats.map((threat) => toRow(tenantId, threat)),
  );
}

/** Finds the sightings of these correlation keys on these devices. */
export async function findSightings(
  queries: ReadQueries,
  tenantId: TenantId,
  { keys, deviceIds }: { keys: readonly string[]; deviceIds: readonly string[] },
): Promise<Sighting[]> {
  return (await selectSightings(queries, { tenantId, keys, deviceIds })).map(toSighting);
}

const selectSightings = prepareQuery(
  (queries, values: { tenantId: TenantId; keys: readonly string[]; deviceIds: readonly string[] }) =>
    queries.db
      .selectFrom('sightings')
      .selectAll()
      .where('tenant_id', '=', values.tenantId)
      .where(queries.anyOf('correlation_key', values.keys))
      .where(queries.anyOf('device_id', values.deviceIds)),
);

/** Finds the sightings of these correlation keys on any device within a time range. */
export async function findSightingsBetween(
  queries: ReadQueries,
  tenantId: TenantId,
  { keys, fromMs, toMs }: { keys: readonly string[]; fromMs: number; toMs: number },
): Promise<Sighting[]> {
  if (keys.length === 0) return [];
  return (await selectSightingsBetween(queries, { tenantId, keys, fromMs, toMs })).map(toSighting);
}

const selectSightingsBetween = prepareQuery(
  (queries, values: { tenantId: TenantId; keys: readonly string[]; fromMs: number; toMs: number }) =>
    queries.db
      .selectFrom('sightings')
      .selectAll()
      .where('tenant_id', '=', values.tenantId)
      .where(queries.anyOf('correlation_key', values.keys))
      .where('last_seen_at', '>=', values.fromMs)
      .where('last_seen_at', '<=', values.toMs),
);

export async function saveSightings(
  tx: Queries,
  tenantId: TenantId,
  sightings: readonly Sighting[],
): Promise<void> {
  await tx.upsertMany(
    'sightings',
    ['tenant_id', 'correlation_key', 'device_id', 'threat_category'],
    sightings.map((sighting) => ({
      tenant_id: tenantId,
      correlation_key: sighting.correlationKey,
      device_id: sighting.deviceId,
      threat_category: sighting.category,
      threat_id: sighting.threatId,
      last_seen_at: sighting.lastSeenAtMs,
    })),
  );
}

/** Ends the threats of an incident that a person has resolved. Dismissed ones stay dismissed. */
export async function endThreatsOfIncident(
  tx: Queries,
  tenantId: TenantId,
  { incidentId, status }: { incidentId: string; status: 'resolved' | 'dismissed' },
): Promise<void> {
  await tx.db
    .updateTable('threats')
    .set({ status })
    .where('tenant_id', '=', tenantId)
    .where('status', '!=', 'dismissed')
    .where('threat_id', 'in', selectMembers(tx, tenantId, incidentId))
    .execute();
}

function toRow(tenantId: TenantId, threat: ThreatRecord): Row<'threats'> {
  return {
    tenant_id: tenantId,
    threat_id: threat.threatId,
    device_id: threat.deviceId,
    threat_category: threat.category,
    confidence: threat.confidence,
    severity: threat.severity,
    status: threat.status,
    detected_at: threat.detectedAtMs,
    last_seen_at: threat.lastSeenAtMs,
    description: threat.description,
    indicators: JSON.stringify(threat.indicators),
    event_count: threat.eventCount,
  };
}

function toRecord(row: Row<'threats'>): ThreatRecord {
  return {
    threatId: row.threat_id,
    deviceId: row.device_id,
    category: row.threat_category as ThreatCategory,
    confidence: row.confidence,
    severity: row.severity as Severity,
    status: row.status as ThreatStatus,
    detectedAtMs: row.detected_at,
    lastSeenAtMs: row.last_seen_at,
    description: row.description,
    indicators: JSON.parse(row.indicators) as string[],
    eventCount: row.event_count,
  };
}

function toSighting(row: Row<'sightings'>): Sighting {
  return {
    correlationKey: row.correlation_key,
    deviceId: row.device_id,
    category: row.threat_category as ThreatCategory,
    threatId: row.threat_id,
    lastSeenAtMs: row.last_seen_at,
  };
}
