import type { ReadQueries } from '../../../database/index.ts';
import type { AccountId } from '../account.ts';
import * as membershipReadModel from '../membership-read-model.ts';

/** Where a password waits for its turn to be hashed: lines take turns, so a long one does not delay the others. */
export type HashingLine =
  /** Everyone in a browser in which the person has not signed in before, whether or not the account exists. */
  | 'strangers'
  /** People of a tenant in browsers that are known, and those who hold a link of the tenant. */
  | `known ${string}`
  /** Accounts of a tenant whose owner found the line of strangers full. */
  | `reserve ${string}`;

/**
 * Returns the line of an account. It belongs to a tenant, which only the operator creates: an attacker with many addresses,
 * browsers and accounts still has one line. Of several tenants, the first by id counts.
 */
export async function findLine<Kind extends 'known' | 'reserve'>(
  queries: ReadQueries,
  kind: Kind,
  accountId: AccountId,
): Promise<`${Kind} ${string}`> {
  const [tenantId = 'no tenant'] = await membershipReadModel.listTenants(queries, accountId);
  return `${kind} ${tenantId}`;
}
