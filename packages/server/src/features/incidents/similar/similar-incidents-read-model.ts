import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

export type IncidentRow = Pick<
  Row<'incidents'>,
  | 'incident_id'
  | 'category'
  | 'correlation_key'
  | 'severity'
  | 'status'
  | 'resolution'
  | 'message'
  | 'created_at'
  | 'updated_at'
>;

const COLUMNS = [
  'incident_id',
  'category',
  'correlation_key',
  'severity',
  'status',
  'resolution',
  'message',
  'created_at',
  'updated_at',
] as const;

/** Lists the indicators of the newest threats of an incident, as JSON. */
export async function listIndicators(
  { db }: ReadQueries,
  tenantId: TenantId,
  { incidentId, threats }: { incidentId: string; threats: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_members as member')
    .innerJoin('threats', (join) =>
      join
        .onRef('threats.tenant_id', '=', 'member.tenant_id')
        .onRef('threats.threat_id', '=', 'member.member_id'),
    )
    .select('threats.indicators')
    .where('member.tenant_id', '=', tenantId)
    .where('member.incident_id', '=', incidentId)
    .where('member.kind', '=', 'threat')
    .orderBy('member.member_id', 'desc')
    .limit(threats)
    .execute();
  return rows.map((row) => row.indicators);
}

/** Lists threats in which these indicators were last seen, on any device. */
export async function listThreatsWith(
  queries: ReadQueries,
  tenantId: TenantId,
  { keys, limit }: { keys: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('sightings')
    .select('threat_id')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('correlation_key', keys))
    .limit(limit)
    .execute();
  return rows.map((row) => row.threat_id);
}

/** Lists the newest incidents that contain one of these threats. */
export async function listWithThreats(
  queries: ReadQueries,
  tenantId: TenantId,
  { threatIds, limit }: { threatIds: readonly string[]; limit: number },
): Promise<IncidentRow[]> {
  return queries.db
    .selectFrom('incidents')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('incident_id', 'in', (row) =>
      row
        .selectFrom('incident_members')
        .select('incident_id')
        .where('tenant_id', '=', tenantId)
        .where('kind', '=', 'threat')
        .where(queries.anyOf('member_id', threatIds)),
    )
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute();
}

/** Lists the newest incidents about these devices or indicators. */
export async function listAbout(
  queries: ReadQueries,
  tenantId: TenantId,
  { correlationKeys, limit }: { correlationKeys: readonly string[]; limit: number },
): Promise<IncidentRow[]> {
  return queries.db
    .selectFrom(queries.rowsOf('incidents', { tenantId, column: 'correlation_key', values: correlationKeys }))
    .select(COLUMNS)
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute();
}
