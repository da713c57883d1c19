import type { Role } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { TenantOfMember } from './membership.ts';

/** Lists the tenants that an account belongs to, those joined first at the top. A tenant that is being deleted is omitted. */
export async function listTenantsOf({ db }: ReadQueries, accountId: string): Promise<TenantOfMember[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.tenant_id', 'memberships.tenant_id')
    .leftJoin('sign_on_providers', 'sign_on_providers.tenant_id', 'memberships.tenant_id')
    .select(['memberships.tenant_id', 'memberships.role', 'tenants.name', 'sign_on_providers.is_required'])
    .where('memberships.account_id', '=', accountId)
    .where('tenants.delete_after', 'is', null)
    .orderBy('memberships.created_at')
    .orderBy('memberships.tenant_id')
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    tenantName: row.name,
    role: row.role as Role,
    requiresSignOn: row.is_required === 1 && row.role !== 'admin',
  }));
}
