import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/**
 * Ends what applications may do for a member, in the transaction that removes the member or changes the role. Returns a
 * function to call after the commit: it resolves when no transaction that relied on that access can commit.
 */
export type EndAccessOfMember = (
  tx: Queries,
  tenantId: TenantId,
  accountId: string,
) => Promise<() => Promise<void>>;
