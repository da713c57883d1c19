import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { DataClass } from './data-class.ts';

/** Finds the settings of a tenant that override those of the service. */
export async function find(queries: ReadQueries, tenantId: TenantId): Promise<Map<DataClass, number>> {
  const rows = await queries.db
    .selectFrom('retention_overrides')
    .select(['data_class', 'days'])
    .where('tenant_id', '=', tenantId)
    .execute();
  return new Map(rows.map((row) => [row.data_class as DataClass, row.days]));
}

export async function save(
  tx: Queries,
  tenantId: TenantId,
  { dataClass, days }: { dataClass: DataClass; days: number },
): Promise<void> {
  const row = { tenant_id: tenantId, data_class: dataClass, days };
  await tx.upsertMany('retention_overrides', ['tenant_id', 'data_class'], [row]);
}

export async function remove(tx: Queries, tenantId: TenantId, dataClass: DataClass): Promise<void> {
  await tx.db
    .deleteFrom('retention_overrides')
    .where('tenant_id', '=', tenantId)
    .where('data_class', '=', dataClass)
    .execute();
}
