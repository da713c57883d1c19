import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';

/** Returns the tenant of a grant: the id of a grant begins with it, before a `~`. */
export function tenantOfGrant(grantId: string): TenantId {
  const end = grantId.indexOf('~');
  return (end === -1 ? NO_TENANT : grantId.slice(0, end)) as TenantId;
}
