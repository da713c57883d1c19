import type { ProtectionStatus } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ProtectionState } from './protection-change.ts';

export async function find({ db }: ReadQueries, tenantId: TenantId): Promise<ProtectionState | undefined> {
  const query = db.selectFrom('protection_states').selectAll().where('tenant_id', '=', tenantId);
  const row = await query.executeTakeFirst();
  return (
    row && {
      status: row.status as ProtectionStatus['status'],
      sinceMs: row.since,
      faultSeenAtMs: row.fault_seen_at,
    }
  );
}

export async function save(tx: Queries, tenantId: TenantId, state: ProtectionState): Promise<void> {
  const { status, sinceMs, faultSeenAtMs } = state;
  await tx.upsertMany(
    'protection_states',
    ['tenant_id'],
    [{ tenant_id: tenantId, status, since: sinceMs, fault_seen_at: faultSeenAtMs }],
  );
}
