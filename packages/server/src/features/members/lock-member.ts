import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { lockTenant } from '../authority/index.ts';
import * as memberReadModel from './member-read-model.ts';
import type { Membership } from './membership.ts';
import * as membershipStore from './membership-store.ts';

/** A member, locked until the transaction ends. */
export interface LockedMember {
  readonly member: Membership;
  /** Whether no other admin of the tenant can sign in. */
  readonly isLastAdmin: boolean;
}

/**
 * Locks a member who is about to lose a role, after the tenant and its admins: of two admins who remove each other, one
 * does. Returns undefined for any other account.
 */
export async function lockMember(
  tx: Queries,
  tenantId: TenantId,
  accountId: string,
): Promise<LockedMember | undefined> {
  await lockTenant(tx, tenantId);
  await membershipStore.lockAdmins(tx, tenantId);
  const member = await membershipStore.findForUpdate(tx, tenantId, accountId);
  if (!member) return undefined;
  const isLastAdmin =
    member.role === 'admin' && !(await memberReadModel.hasOtherAdmin(tx, tenantId, accountId));
  return { member, isLastAdmin };
}
