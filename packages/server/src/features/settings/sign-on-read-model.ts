import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Returns whether people must sign in at the provider of the tenant; undefined if it has none. */
export async function findSignOn(
  { db }: ReadQueries,
  tenantId: TenantId,
): Promise<{ isRequired: boolean } | undefined> {
  const row = await db
    .selectFrom('sign_on_providers')
    .select('is_required')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row && { isRequired: row.is_required === 1 };
}
