import { forUpdate, type Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Locks a device until the transaction ends, as a revocation does. Call it before its tokens are locked. */
export async function lock(tx: Queries, tenantId: TenantId, deviceId: string): Promise<void> {
  const device = tx.db
    .selectFrom('devices')
    .select('device_id')
    .where('tenant_id', '=', tenantId)
    .where('device_id', '=', deviceId);
  await forUpdate(tx, device).execute();
}
