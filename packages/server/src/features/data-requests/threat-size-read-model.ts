import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Returns how many events each of these threats has. */
export async function readThreatSizes(
  queries: ReadQueries,
  tenantId: TenantId,
  threatIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.db
    .selectFrom('threats')
    .select(['threat_id', 'event_count'])
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('threat_id', threatIds))
    .execute();
  return new Map(rows.map((row) => [row.threat_id, row.event_count]));
}
