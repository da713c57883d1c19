import type { Role } from '@tps/contract';
import type { TenantId } from '../../platform/tenant-id.ts';

/** What makes an account a member of a tenant. */
export interface Membership {
  readonly tenantId: TenantId;
  readonly accountId: string;
  readonly role: Role;
  readonly createdAtMs: number;
  /** ID of the inviting account or token, or `command_line`. */
  readonly createdBy: string;
}

/** A tenant as one of its members sees it. */
export interface TenantOfMember {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly role: Role;
  /** Whether only a session that its provider has opened reaches it. Admins are exempt: a failing provider locks no tenant. */
  readonly requiresSignOn: boolean;
}

/**
 * Whether a session reaches a tenant. The provider of one tenant must not open another one, and a password or passkey does not
 * open a tenant that requires its provider.
 */
export function reachesTenant(
  session: { readonly tenantId: TenantId | null },
  { tenantId, requiresSignOn }: Pick<TenantOfMember, 'tenantId' | 'requiresSignOn'>,
): boolean {
  return session.tenantId === null ? !requiresSignOn : session.tenantId === tenantId;
}
