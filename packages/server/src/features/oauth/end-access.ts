import type { Queries } from '../../database/index.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { tokenStore } from '../tokens/index.ts';

/**
 * Ends what applications may do in the name of a member of a tenant: consents, grants, codes, refresh tokens, and access
 * tokens, in the transaction of the caller, which has locked the membership. Call `awaitEndOfTokens` with the returned ids
 * after the commit.
 */
export async function endAccessOfMember(
  tx: Queries,
  tenantId: TenantId,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<string[]> {
  await tx.db
    .deleteFrom('oauth_records')
    // A record from before the person chose a tenant has none.
    .where('tenant_id', 'in', [tenantId, NO_TENANT])
    .where('account_id', '=', accountId)
    .execute();
  await tx.db
    .deleteFrom('oauth_consents')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .execute();
  return tokenStore.revokeOfMember(tx, tenantId, { accountId, nowMs });
}

/**
 * Ends everything that a client holds: grants, codes, refresh tokens, and access tokens, in the transaction of the caller,
 * which has locked the client. Call `awaitEndOfTokens` with the returned ids after the commit.
 */
export async function endAccessOfClient(
  tx: Queries,
  tenantId: TenantId,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): Promise<string[]> {
  await tx.db
    .deleteFrom('oauth_records')
    // A record from before the person chose a tenant has none.
    .where('tenant_id', 'in', [tenantId, NO_TENANT])
    .where('client_id', '=', clientId)
    .execute();
  return tokenStore.revokeOfClient(tx, tenantId, { clientId, nowMs });
}
