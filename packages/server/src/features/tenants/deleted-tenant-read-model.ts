import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import { firstIdAt } from '../../platform/identifiers.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';

/** Lists the tenants deleted since a time, from the audit entries that belong to no tenant. */
export async function listDeletedTenants(queries: ReadQueries, sinceMs: number): Promise<TenantId[]> {
  const rows = await queries.db
    .selectFrom('audit_entries')
    .select('resource_id')
    .where('tenant_id', '=', NO_TENANT)
    .where('audit_id', '>=', firstIdAt(ID_PREFIXES.audit, sinceMs))
    .where('action', '=', 'tenant.deleted')
    .execute();
  return rows.map((row) => row.resource_id as TenantId);
}
