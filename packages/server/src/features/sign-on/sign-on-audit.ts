import type { TenantId } from '../../platform/tenant-id.ts';
import type { AuditRecord } from '../audit/index.ts';
import type { SignOnProvider } from './sign-on-provider.ts';

/** Creates the audit entry of an action on the provider of a tenant. */
export function auditOf(
  tenantId: TenantId,
  action: 'sign_on.create' | 'sign_on.update' | 'sign_on.delete',
  { provider, before }: { provider: SignOnProvider; before: SignOnProvider | undefined },
): Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'> {
  const end = action === 'sign_on.delete' ? ' ended' : toTrustChange(provider, before);
  return {
    tenantId,
    action,
    resource: { type: 'sign_on', id: tenantId },
    detail: `Single sign-on at ${provider.issuer}${end}`,
    fields: {
      issuer: provider.issuer,
      client_id: provider.clientId,
      allowed_domains: provider.allowedDomains,
      trust_email: provider.trustsEmail,
      extra_scopes: provider.extraScopes,
      role_claim: provider.roleClaim,
      role_map: provider.roleMap,
      default_role: provider.defaultRole,
      create_members: provider.createMembers,
      required: provider.isRequired,
    },
  };
}

/** Describes a change of `trust_email`. The trust in one issuer does not carry over to another one. */
function toTrustChange({ issuer, trustsEmail }: SignOnProvider, before: SignOnProvider | undefined): string {
  const wasTrusted = before?.issuer === issuer && before.trustsEmail;
  if (trustsEmail === wasTrusted) return '';
  return trustsEmail
    ? ': its e-mail addresses count as verified from now on'
    : ': its e-mail addresses no longer count as verified';
}
