import { randomBytes } from 'node:crypto';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';

/** 192 bits. */
const RANDOM_BYTES = 24;

/** Creates the id of a grant. It begins with the tenant, so that every record of the grant shows its tenant. */
export function createGrantId(tenantId: TenantId): string {
  return `${tenantId}~${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Returns the tenant of a grant. */
export function tenantOfGrant(grantId: string): TenantId {
  const end = grantId.indexOf('~');
  return (end === -1 ? NO_TENANT : grantId.slice(0, end)) as TenantId;
}
