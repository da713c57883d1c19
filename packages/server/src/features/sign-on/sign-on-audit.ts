import type { TenantId } from '../../platform/tenant-id.ts';
import type { AuditRecord } from '../audit/index.ts';
import type { SignOnProvider } from './sign-on-provider.ts';

/** Creates the audit entry of an action on the provider of a tenant. */
export function auditOf(
  tenantId: TenantId,
  provider: SignOnProvider,
  action: 'sign_on.create' | 'sign_on.update' | 'sign_on.delete',
): Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'> {
  const { issuer, clientId, allowedDomains, createMembers, isRequired } = provider;
  return {
    tenantId,
    action,
    resource: { type: 'sign_on', id: tenantId },
    detail: `Single sign-on at ${issuer}${action === 'sign_on.delete' ? ' ended' : ''}`,
    fields: {
      issuer,
      client_id: clientId,
      allowed_domains: allowedDomains,
      create_members: createMembers,
      required: isRequired,
    },
  };
}
