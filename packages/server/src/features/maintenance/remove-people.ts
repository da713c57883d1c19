import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type AccountId, accountStore, removeAccount } from '../accounts/index.ts';
import * as memberReadModel from './member-read-model.ts';

/** Accounts that one transaction removes. */
const AT_ONCE = 100;

/**
 * Removes accounts that belong to this tenant, which is being deleted, and to no other. Returns whether more may be left.
 * The account of a person who was removed from a tenant before stays: that person may be invited again.
 */
export async function removePeople(tx: Queries, tenantId: TenantId, nowMs: number): Promise<boolean> {
  const accountIds = await memberReadModel.listOnlyMembersOf(tx, tenantId, AT_ONCE);
  for (const accountId of accountIds) {
    // Locked before the second look: the person may be joining another tenant.
    const account = await accountStore.findForUpdate(tx, accountId);
    if (account && (await memberReadModel.isOnlyMemberOf(tx, tenantId, accountId))) {
      await removeAccount(tx, accountId as AccountId, nowMs);
    }
  }
  return accountIds.length === AT_ONCE;
}
