import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { MONITORING } from '../../incidents/index.ts';

/** Counts the unresolved monitoring incidents with this key prefix, up to a limit. */
export async function countUnresolved(
  queries: ReadQueries,
  tenantId: TenantId,
  { keyPrefix, limit }: { keyPrefix: string; limit: number },
): Promise<number> {
  const rows = await queries.db
    .selectFrom('incidents')
    .select('incident_id')
    .where('tenant_id', '=', tenantId)
    .where('correlation_key', '>=', keyPrefix)
    .where('correlation_key', '<', endOf(keyPrefix))
    .where('category', '=', MONITORING)
    .where('status', 'not in', ['resolved', 'closed'])
    .limit(limit)
    .execute();
  return rows.length;
}

export async function listDeviceIds(
  queries: ReadQueries,
  tenantId: TenantId,
  { incidentId, limit }: { incidentId: string; limit: number },
): Promise<string[]> {
  const rows = await queries.db
    .selectFrom('incident_members')
    .select('member_id')
    .where('tenant_id', '=', tenantId)
    .where('incident_id', '=', incidentId)
    .where('kind', '=', 'device')
    .limit(limit)
    .execute();
  return rows.map((row) => row.member_id);
}

/** The first text after all texts with this prefix. Keys compare by bytes; the last character of a prefix is ASCII. */
function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
