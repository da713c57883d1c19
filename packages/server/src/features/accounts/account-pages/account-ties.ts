import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AccountId } from '../account.ts';

/** A tenant that a person belongs to. */
interface AccountTenant {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly role: string;
  /** Whether only a session that its provider has opened reaches it. */
  readonly requiresSignOn: boolean;
}

/** What other features keep about a person. They import this one, so `app` connects them. */
export interface AccountTies {
  listTenants(queries: ReadQueries, accountId: AccountId): Promise<readonly AccountTenant[]>;
  /**
   * Locks the memberships of the person, and the admins of those tenants, until the transaction ends. Returns the names of
   * the tenants that have no other admin.
   */
  lockTenants(tx: Queries, accountId: AccountId): Promise<readonly string[]>;
  /** Describes the holdings that end with the account in its tenants. Others may depend on them. */
  listEnding(queries: ReadQueries, accountId: AccountId): Promise<readonly string[]>;
  /**
   * Ends what acts for the person, and keeps the memberships: applications, links to providers, and pending invitations that
   * the account owns. Returns the number of applications, and a function to call after the commit, as for `end`.
   */
  endAccess(
    tx: Queries,
    accountId: AccountId,
    why: string,
  ): Promise<{ readonly applications: number; readonly awaitEnd: () => Promise<void> }>;
  /**
   * Removes memberships, consents, grants, tokens and links to providers. Returns a function to call after the commit: it
   * resolves when nothing can change in the person's name any more.
   * @throws ServiceError `invalid_state_transition` while the account owns the single sign-on of a tenant
   */
  end(tx: Queries, accountId: AccountId): Promise<() => Promise<void>>;
  /** Returns what these features keep, for the export: JSON values by name, without secrets. */
  export(queries: ReadQueries, accountId: AccountId): Promise<Readonly<Record<string, unknown>>>;
}
