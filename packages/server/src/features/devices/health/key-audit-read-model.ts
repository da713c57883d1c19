import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Finds when the key of a device was last replaced, as far as the audit log reaches back; null if it was not. */
export async function findLastReplacement(
  queries: ReadQueries,
  tenantId: TenantId,
  deviceId: string,
): Promise<number | null> {
  const row = await queries.db
    .selectFrom('audit_entries')
    .select('occurred_at')
    .where('tenant_id', '=', tenantId)
    .where('resource_id', '=', deviceId)
    .where('action', '=', 'device.rotate_key')
    .where('outcome', '=', 'success')
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.occurred_at ?? null;
}

/** Finds the time of the oldest audit entry of a tenant; null without entries. */
export async function findOldestEntry(queries: ReadQueries, tenantId: TenantId): Promise<number | null> {
  const row = await queries.db
    .selectFrom('audit_entries')
    .select('occurred_at')
    .where('tenant_id', '=', tenantId)
    .orderBy('audit_id')
    .limit(1)
    .executeTakeFirst();
  return row?.occurred_at ?? null;
}
