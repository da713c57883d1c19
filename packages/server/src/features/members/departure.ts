import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as invitationStore from './invitations/invitation-store.ts';
import type { EndAccessOfMember } from './member-access.ts';
import * as membershipStore from './membership-store.ts';
import { listTenantsOf } from './tenant-read-model.ts';

/**
 * Locks the memberships of a person who is about to leave every tenant, and the admins of those tenants. Returns the names
 * of the tenants that have no other admin. A tenant that is being deleted needs none.
 */
export async function lockForDeparture(tx: Queries, accountId: string): Promise<string[]> {
  const live = new Map((await listTenantsOf(tx, accountId)).map((one) => [one.tenantId, one.tenantName]));
  const withoutAdmin: string[] = [];
  for (const { tenantId } of await membershipStore.listOf(tx, accountId)) {
    // In the order in which a change of one member locks them.
    const admins = await membershipStore.lockAdmins(tx, tenantId);
    const member = await membershipStore.findForUpdate(tx, tenantId, accountId);
    const name = live.get(tenantId);
    if (member?.role === 'admin' && admins.length === 1 && name !== undefined) withoutAdmin.push(name);
  }
  return withoutAdmin;
}

/**
 * Removes all memberships of a person, ends what applications may do in the person's name, and forgets the address to which
 * invitations were sent. Returns a function to call after the commit.
 */
export async function leaveTenants(
  tx: Queries,
  accountId: string,
  { endAccess, nowMs }: { endAccess: EndAccessOfMember; nowMs: number },
): Promise<() => Promise<void>> {
  await invitationStore.forgetAddresses(tx, accountId);
  const ends: (() => Promise<void>)[] = [];
  for (const { tenantId } of await membershipStore.listOf(tx, accountId)) {
    await leave(tx, tenantId, { accountId, nowMs });
    ends.push(await endAccess(tx, tenantId, accountId));
  }
  return async () => {
    for (const awaitEnd of ends) await awaitEnd();
  };
}

async function leave(
  tx: Queries,
  tenantId: TenantId,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<void> {
  await membershipStore.remove(tx, tenantId, accountId);
  await invitationStore.revokeCreatedBy(tx, tenantId, { createdBy: accountId, nowMs });
}
