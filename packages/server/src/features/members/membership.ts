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
}
