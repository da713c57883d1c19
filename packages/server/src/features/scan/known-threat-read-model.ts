import type { Severity, ThreatCategory } from '@tps/contract';
import { sql } from 'kysely';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { HIGH_SEVERITIES, indicatorKeyOf } from '../feed/index.ts';
import type { KnownThreats } from './tenant-findings.ts';

/** The number of threats in a response. */
const MAX_THREATS = 20;

/**
 * Finds the tenant's threats with one of these indicators: those of high severity first, then by confidence. Dismissed
 * threats and indicators that corrections have removed do not count.
 */
export async function findKnownThreats(
  queries: ReadQueries,
  tenantId: TenantId,
  indicators: readonly string[],
): Promise<KnownThreats> {
  if (indicators.length === 0) return { threats: [], devices: 0 };
  const seen = sightingsOf(queries, tenantId, indicators)
    .innerJoin('threats as t', (join) =>
      join.onRef('t.tenant_id', '=', 's.tenant_id').onRef('t.threat_id', '=', 's.threat_id'),
    )
    .where('t.status', '!=', 'dismissed');
  const rows = await seen
    .select((row) => [
      't.threat_id',
      't.threat_category',
      't.confidence',
      't.severity',
      't.last_seen_at',
      row.case().when('t.severity', 'in', HIGH_SEVERITIES).then(1).else(0).end().as('is_high'),
    ])
    .distinct()
    .orderBy('is_high', 'desc')
    .orderBy('t.confidence', 'desc')
    .orderBy('t.threat_id', 'desc')
    .limit(MAX_THREATS)
    .execute();
  const { devices } = await seen
    .select((row) => row.fn.count<number>('s.device_id').distinct().as('devices'))
    .executeTakeFirstOrThrow();
  return {
    devices: Number(devices),
    threats: rows.map((row) => ({
      threatId: row.threat_id,
      category: row.threat_category as ThreatCategory,
      confidence: row.confidence,
      severity: row.severity as Severity,
      lastSeenAtMs: row.last_seen_at,
    })),
  };
}

/** Selects the sightings of the indicators. `last_seen_at` is 0 if corrections have removed all of them. */
function sightingsOf(queries: ReadQueries, tenantId: TenantId, indicators: readonly string[]) {
  return queries.db
    .selectFrom('sightings as s')
    .where('s.tenant_id', '=', tenantId)
    .where(queries.anyOf(sql.ref('s.correlation_key'), indicators.map(indicatorKeyOf)))
    .where('s.last_seen_at', '>', 0);
}
