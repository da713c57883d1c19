import { forUpdate, type Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/**
 * Locks the tenant's row until the transaction ends, so that two requests cannot both add the last channel that is
 * allowed, and two processes do not both report a change. Returns whether there is such a tenant.
 */
export async function lockTenant(tx: Queries, tenantId: TenantId): Promise<boolean> {
  const tenant = tx.db.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', tenantId);
  return (await forUpdate(tx, tenant).executeTakeFirst()) !== undefined;
}
