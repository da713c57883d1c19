import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Returns the name of a tenant, as people know it. */
export async function findTenantName({ db }: ReadQueries, tenantId: TenantId): Promise<string | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.name;
}
