import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toEmailKey } from '../accounts/index.ts';

/** Returns whether another tenant has an invitation to an address that can still be accepted. */
export async function isInvitedElsewhere(
  { db }: ReadQueries,
  email: string,
  { tenantId, nowMs }: { tenantId: TenantId; nowMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('invitation_id')
    .where(({ fn }) => fn('lower', ['email']), '=', toEmailKey(email))
    .where('tenant_id', '!=', tenantId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
