import type { Role } from '@tps/contract';
import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Lists the tenants of an account, and its role in each. */
export async function listMemberships(
  { db }: ReadQueries,
  accountId: string,
): Promise<{ tenantId: TenantId; role: Role }[]> {
  const rows = await db
    .selectFrom('memberships')
    .select(['tenant_id', 'role'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id as TenantId, role: row.role as Role }));
}
