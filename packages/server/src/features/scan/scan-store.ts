import type { ScanResult, Severity, ThreatCategory } from '@tps/contract';
import { sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { indicatorKeyOf } from '../events/index.ts';
import type { KnownThreat } from './judge-scan.ts';

/** As many as an answer shows. */
const MAX_THREATS = 20;

/** Finds the tenant's threats that share one of these indicators, the surest first. What was dismissed was none. */
export async function findKnownThreats(
  queries: ReadQueries,
  tenantId: TenantId,
  indicators: readonly string[],
): Promise<KnownThreat[]> {
  if (indicators.length === 0) return [];
  const keys = indicators.map(indicatorKeyOf);
  const rows = await queries.db
    .selectFrom('sightings as s')
    .innerJoin('threats as t', (join) =>
      join.onRef('t.tenant_id', '=', 's.tenant_id').onRef('t.threat_id', '=', 's.threat_id'),
    )
    .select((row) => [
      't.threat_id',
      't.threat_category',
      't.confidence',
      't.severity',
      't.last_seen_at',
      // Each device has a threat of its own: how many saw the same is told by the sightings.
      row
        .selectFrom('sightings as other')
        .select((other) => other.fn.count<number>('other.device_id').distinct().as('devices'))
        .whereRef('other.tenant_id', '=', 's.tenant_id')
        .whereRef('other.correlation_key', '=', 's.correlation_key')
        .as('devices'),
    ])
    .where('s.tenant_id', '=', tenantId)
    .where(queries.anyOf(sql.ref('s.correlation_key'), keys))
    .where('t.status', '!=', 'dismissed')
    .orderBy('t.confidence', 'desc')
    .orderBy('t.threat_id', 'desc')
    .limit(MAX_THREATS)
    .execute();
  const byId = new Map(rows.map((row) => [row.threat_id, row]));
  return [...byId.values()].map((row) => ({
    threatId: row.threat_id,
    category: row.threat_category as ThreatCategory,
    confidence: row.confidence,
    severity: row.severity as Severity,
    devices: Number(row.devices),
    lastSeenAtMs: row.last_seen_at,
  }));
}

export async function create(
  tx: Queries,
  tenantId: TenantId,
  { result, nowMs }: { result: ScanResult; nowMs: number },
): Promise<void> {
  await tx.db
    .insertInto('scans')
    .values({
      tenant_id: tenantId,
      scan_id: result.scan_id,
      result: JSON.stringify(result),
      created_at: nowMs,
    })
    .execute();
}

export async function findMany(
  queries: ReadQueries,
  tenantId: TenantId,
  scanIds: readonly string[],
): Promise<ScanResult[]> {
  if (scanIds.length === 0) return [];
  const rows = await queries.db
    .selectFrom('scans')
    .select('result')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('scan_id', scanIds))
    .execute();
  return rows.map((row) => JSON.parse(row.result) as ScanResult);
}
