import type { ScanResult } from '@tps/contract';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

export async function create(
  tx: Queries,
  tenantId: TenantId,
  { result, nowMs }: { result: ScanResult; nowMs: number },
): Promise<void> {
  await tx.db
    .insertInto('scans')
    .values({
      tenant_id: tenantId,
      scan_id: result.scan_id,
      result: JSON.stringify(result),
      created_at: nowMs,
    })
    .execute();
}

export async function findMany(
  queries: ReadQueries,
  tenantId: TenantId,
  scanIds: readonly string[],
): Promise<ScanResult[]> {
  if (scanIds.length === 0) return [];
  const rows = await queries.db
    .selectFrom('scans')
    .select('result')
    .where('tenant_id', '=', tenantId)
    .where(queries.anyOf('scan_id', scanIds))
    .execute();
  return rows.map((row) => JSON.parse(row.result) as ScanResult);
}
