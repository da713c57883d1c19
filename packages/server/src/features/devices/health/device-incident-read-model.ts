import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Lists the unresolved incidents with these keys, newest first. */
export async function listUnresolved(
  queries: ReadQueries,
  tenantId: TenantId,
  { correlationKeys, limit }: { correlationKeys: readonly string[]; limit: number },
): Promise<{ incidentId: string; correlationKey: string }[]> {
  const rows = await queries.db
    .selectFrom(queries.rowsOf('incidents', { tenantId, column: 'correlation_key', values: correlationKeys }))
    .select(['incident_id', 'correlation_key'])
    .where('status', 'not in', ['resolved', 'closed'])
    .orderBy('incident_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ incidentId: row.incident_id, correlationKey: row.correlation_key }));
}

/** Whether an incident lists a device. */
export async function isMember(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidentId, deviceId }: { incidentId: string; deviceId: string },
): Promise<boolean> {
  const row = await queries.db
    .selectFrom('incident_members')
    .select('member_id')
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .where('kind', '=', 'device')
    .where('member_id', '=', deviceId)
    .executeTakeFirst();
  return row !== undefined;
}
