import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { Account } from '../accounts/index.ts';
import * as membershipStore from './membership-store.ts';

/**
 * Returns whether an account may become a member of a tenant. As long as its address is unverified it belongs to one tenant
 * at most: the person whom a second tenant invites may not be the one who created it. The caller has locked the account.
 */
export async function mayJoin(
  queries: ReadQueries,
  { accountId, emailVerifiedAtMs }: Pick<Account, 'accountId' | 'emailVerifiedAtMs'>,
  tenantId: TenantId,
): Promise<boolean> {
  if (emailVerifiedAtMs !== null) return true;
  const memberships = await membershipStore.listOf(queries, accountId);
  return memberships.length === 0 || memberships.some((one) => one.tenantId === tenantId);
}
