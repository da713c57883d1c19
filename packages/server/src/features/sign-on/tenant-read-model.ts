import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Returns whether a tenant exists and is not being deleted. */
export async function isActiveTenant({ db }: ReadQueries, tenantId: TenantId): Promise<boolean> {
  const row = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .where('delete_after', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the tenants whose people have addresses in a domain. */
export async function listTenantsOf({ db }: ReadQueries, domain: string): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('sign_on_providers')
    .innerJoin('tenants', 'tenants.tenant_id', 'sign_on_providers.tenant_id')
    .select(['sign_on_providers.tenant_id', 'allowed_domains'])
    .where('tenants.delete_after', 'is', null)
    .execute();
  return rows
    .filter((row) => (JSON.parse(row.allowed_domains) as string[]).includes(domain))
    .map((row) => row.tenant_id as TenantId);
}
