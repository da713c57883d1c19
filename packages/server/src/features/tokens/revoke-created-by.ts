import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import * as tokenStore from './token-store.ts';

/**
 * Revokes the tokens and enrolment secrets that a person has created in a tenant, and those that were created with them: no
 * token outlives what has created it. Devices that are registered keep their credentials. Each has its audit entry. Returns
 * the ids of those that had not ended: `awaitEndOfTokens` takes them.
 */
export async function revokeCreatedBy(
  tx: Queries,
  tenantId: TenantId,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<string[]> {
  const created: string[] = [];
  let creators = [accountId];
  while (creators.length > 0) {
    creators = await tokenStore.listIdsCreatedBy(tx, tenantId, creators);
    created.push(...creators);
  }
  const revoked = await tokenStore.revokeAll(tx, tenantId, { tokenIds: created, nowMs });
  for (const { tokenId, name } of revoked) {
    await auditStore.append(
      tx,
      {
        tenantId,
        actor: SERVICE,
        action: 'token.revoke',
        resource: { type: 'token', id: tokenId },
        outcome: 'success',
        requestId: null,
        detail: `Token "${name}" revoked: the member who created it has lost the role or the access`,
        fields: { name, created_by: accountId, revoked_at: toTimestamp(nowMs) },
      },
      nowMs,
    );
  }
  return revoked.map(({ tokenId }) => tokenId);
}
