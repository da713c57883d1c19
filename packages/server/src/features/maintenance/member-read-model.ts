import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Lists accounts that are members of this tenant and of no other. */
export async function listOnlyMembersOf(
  queries: ReadQueries,
  tenantId: TenantId,
  limit: number,
): Promise<string[]> {
  const rows = await onlyMembersOf(queries, tenantId).orderBy('own.account_id').limit(limit).execute();
  return rows.map((row) => row.account_id);
}

export async function isOnlyMemberOf(
  queries: ReadQueries,
  tenantId: TenantId,
  accountId: string,
): Promise<boolean> {
  const row = await onlyMembersOf(queries, tenantId)
    .where('own.account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

function onlyMembersOf({ db }: ReadQueries, tenantId: TenantId) {
  return db
    .selectFrom('memberships as own')
    .innerJoin('accounts', 'accounts.account_id', 'own.account_id')
    .select('own.account_id')
    .where('own.tenant_id', '=', tenantId)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('memberships as other')
            .select('other.account_id')
            .whereRef('other.account_id', '=', 'own.account_id')
            .where('other.tenant_id', '!=', tenantId),
        ),
      ),
    );
}
