import type { ReadQueries } from '../../database/index.ts';
import { listMemberships } from './member-read-model.ts';
import * as providerStore from './sign-on-provider-store.ts';

/**
 * Returns whether a person must sign in at the provider of their tenant. Admins need not, so that a failing provider cannot
 * lock a tenant; nor do people of several tenants, of whom only one has this rule.
 */
export async function mustUseProvider(queries: ReadQueries, accountId: string): Promise<boolean> {
  const [membership, ...others] = await listMemberships(queries, accountId);
  if (!membership || others.length > 0 || membership.role === 'admin') return false;
  const provider = await providerStore.find(queries, membership.tenantId);
  return provider?.isRequired ?? false;
}
