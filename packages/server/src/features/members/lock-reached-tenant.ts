import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { reachesTenant, type TenantOfMember } from './membership.ts';
import * as membershipStore from './membership-store.ts';
import { listTenantsOf } from './tenant-read-model.ts';

/**
 * Locks a membership until the transaction ends: what ends or reduces it waits, and then also ends what this transaction gives.
 * Returns the tenant with the role as it is then; undefined if the session does not reach it.
 */
export async function lockReachedTenant(
  tx: Queries,
  session: { readonly accountId: string; readonly tenantId: TenantId | null },
  tenantId: TenantId,
): Promise<TenantOfMember | undefined> {
  const { accountId } = session;
  if (!(await membershipStore.findForUpdate(tx, tenantId, accountId))) return undefined;
  const tenant = (await listTenantsOf(tx, accountId)).find((one) => one.tenantId === tenantId);
  return tenant && reachesTenant(session, tenant) ? tenant : undefined;
}
