import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as invitationStore from './invitations/invitation-store.ts';

/**
 * Ends what applications may do for a member, in the transaction that removes the member or changes the role. Returns a
 * function to call after the commit: it resolves when no transaction that relied on that access can commit.
 */
export type EndAccessOfMember = (
  tx: Queries,
  tenantId: TenantId,
  accountId: string,
) => Promise<() => Promise<void>>;

/**
 * Ends all that a member has begun with the role: what applications may do, and pending invitations. The caller has locked
 * the member. Returns a function to call after the commit.
 */
export async function endAccessOfRole(
  tx: Queries,
  { tenantId, accountId }: { tenantId: TenantId; accountId: string },
  { endAccess, nowMs }: { endAccess: EndAccessOfMember; nowMs: number },
): Promise<() => Promise<void>> {
  await invitationStore.revokeCreatedBy(tx, tenantId, { createdBy: accountId, nowMs });
  return endAccess(tx, tenantId, accountId);
}
