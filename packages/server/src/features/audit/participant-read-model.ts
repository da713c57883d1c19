import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Finds the names of members, tokens and OAuth clients of a tenant by id. Others are not found. */
export async function findNames(
  { db }: ReadQueries,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['memberships.account_id as id', 'accounts.name'])
    .where('memberships.tenant_id', '=', tenantId)
    .where('memberships.account_id', 'in', ids)
    .unionAll(
      db
        .selectFrom('tokens')
        .select(['token_id as id', 'name'])
        .where('tenant_id', '=', tenantId)
        .where('token_id', 'in', ids),
    )
    .unionAll(
      db
        .selectFrom('oauth_clients')
        .select(['client_id as id', 'name'])
        .where('tenant_id', '=', tenantId)
        .where('client_id', 'in', ids),
    )
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
