import type { ReadQueries } from '../../database/index.ts';
import { accountStore } from '../accounts/index.ts';
import { isInvitedElsewhere } from './invitation-read-model.ts';
import { listMemberships } from './member-read-model.ts';
import * as providerStore from './sign-on-provider-store.ts';

/**
 * Returns whether a person must sign in at the provider of their tenant. Admins need not, so that a failing provider cannot
 * lock a tenant; nor do people of several tenants, of whom only one has this rule. A person whom another tenant invites counts
 * as one of these: they could not accept otherwise, and any tenant can be the first that claims an address.
 */
export async function mustUseProvider(
  queries: ReadQueries,
  accountId: string,
  nowMs: number,
): Promise<boolean> {
  const [membership, ...others] = await listMemberships(queries, accountId);
  if (!membership || others.length > 0 || membership.role === 'admin') return false;
  const { tenantId } = membership;
  const provider = await providerStore.find(queries, tenantId);
  if (!provider?.isRequired) return false;
  const account = await accountStore.find(queries, accountId);
  return account === undefined || !(await isInvitedElsewhere(queries, account.email, { tenantId, nowMs }));
}
