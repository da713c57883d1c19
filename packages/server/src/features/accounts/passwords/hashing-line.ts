import type { ReadQueries } from '../../../database/index.ts';
import type { AccountId } from '../account.ts';
import * as membershipReadModel from '../membership-read-model.ts';

/** The queue in which a password waits to be hashed. Lines take turns, so a long one does not delay the others. */
export type HashingLine =
  /** All browsers in which the person has not signed in before, whether or not the account exists. */
  | 'unknown'
  /** Known browsers of the people of a tenant, and holders of a link of the tenant. */
  | `known ${string}`
  /** Accounts of a tenant in unknown browsers, while the line of unknown browsers is full. */
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
