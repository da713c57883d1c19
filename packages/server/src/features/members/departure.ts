import type { Queries } from '../../database/index.ts';
import type { SignOnEnding } from '../holdings/index.ts';
import * as invitationStore from './invitations/invitation-store.ts';
import { lockMember } from './lock-member.ts';
import type { EndAccessOfMember } from './member-access.ts';
import * as membershipStore from './membership-store.ts';
import { listTenantsOf } from './tenant-read-model.ts';

/**
 * Locks the memberships of a person who is about to lose the access to every tenant, and the admins of those tenants.
 * Returns the names of the tenants that have no other admin. A tenant that is being deleted needs none.
 */
export async function lockForDeparture(tx: Queries, accountId: string): Promise<string[]> {
  const live = new Map((await listTenantsOf(tx, accountId)).map((one) => [one.tenantId, one.tenantName]));
  const withoutAdmin: string[] = [];
  for (const { tenantId } of await membershipStore.listOf(tx, accountId)) {
    const locked = await lockMember(tx, tenantId, accountId);
    const name = live.get(tenantId);
    if (locked?.isLastAdmin && name !== undefined) withoutAdmin.push(name);
  }
  return withoutAdmin;
}

/**
 * Ends what a person has begun in all tenants, and keeps the memberships. The caller has called `lockForDeparture`. Returns
 * a function to call after the commit.
 */
export async function endAccessInTenants(
  tx: Queries,
  accountId: string,
  { endAccess, signOn }: { endAccess: EndAccessOfMember; signOn: SignOnEnding },
): Promise<() => Promise<void>> {
  const ends: (() => Promise<void>)[] = [];
  for (const membership of await membershipStore.listOf(tx, accountId)) {
    ends.push(await endAccess(tx, membership, { isLoss: true, signOn }));
  }
  return async () => {
    for (const awaitEnd of ends) await awaitEnd();
  };
}

/**
 * Removes all memberships of a person, ends what was begun in the person's name, and forgets the address to which
 * invitations were sent. Returns a function to call after the commit.
 */
export async function leaveTenants(
  tx: Queries,
  accountId: string,
  { endAccess, signOn }: { endAccess: EndAccessOfMember; signOn: SignOnEnding },
): Promise<() => Promise<void>> {
  await invitationStore.forgetAddresses(tx, accountId);
  const awaitEnd = await endAccessInTenants(tx, accountId, { endAccess, signOn });
  for (const { tenantId } of await membershipStore.listOf(tx, accountId)) {
    await membershipStore.remove(tx, tenantId, accountId);
  }
  return awaitEnd;
}
