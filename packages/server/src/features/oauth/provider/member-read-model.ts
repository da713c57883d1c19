import type { Role } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Returns the role of a person in a tenant; undefined if they are not a member, or their account is disabled. */
export async function findRole(
  queries: ReadQueries,
  tenantId: TenantId,
  accountId: string,
): Promise<Role | undefined> {
  const row = await queries.db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select('memberships.role')
    .where('memberships.tenant_id', '=', tenantId)
    .where('memberships.account_id', '=', accountId)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
  return row && (row.role as Role);
}

/** Locks a membership until the transaction ends. A transaction that ends it waits, and then ends what was granted meanwhile. */
export async function lock(tx: Queries, tenantId: TenantId, accountId: string): Promise<void> {
  const membership = tx.db
    .selectFrom('memberships')
    .select('role')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId);
  await forUpdate(tx, membership).execute();
}

/** A person, as ID tokens and the userinfo endpoint show them. */
export interface Person {
  readonly accountId: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
}

/** Finds a person who may sign in. */
export async function findPerson(queries: ReadQueries, accountId: string): Promise<Person | undefined> {
  const row = await queries.db
    .selectFrom('accounts')
    .select(['account_id', 'email', 'email_verified_at', 'name'])
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { account_id, email, email_verified_at, name } = row;
  return { accountId: account_id, email, isEmailVerified: email_verified_at !== null, name };
}
