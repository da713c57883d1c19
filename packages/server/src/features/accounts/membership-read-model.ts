import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Lists the tenants of an account, in the order in which their audit chains are locked. */
export async function listTenants({ db }: ReadQueries, accountId: string): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('tenant_id')
    .where('account_id', '=', accountId)
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}
