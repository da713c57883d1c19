import type { Role, SignOn } from '@tps/contract';
import type { SealedSecret } from '../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';

/** The OpenID provider of a tenant. */
export interface SignOnProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly secret: SealedSecret | null;
  /** In lower case. */
  readonly allowedDomains: readonly string[];
  /** Whether an address counts as verified if the provider does not state that it is. */
  readonly trustsEmail: boolean;
  /** Scopes to request in addition to those that every sign-on needs. */
  readonly extraScopes: readonly string[];
  readonly roleClaim: string | null;
  readonly roleMap: readonly { readonly value: string; readonly role: Role }[];
  readonly defaultRole: Role | null;
  readonly createMembers: boolean;
  readonly isRequired: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Id of the actor. */
  readonly updatedBy: string;
}

/** Binds the secret to its row: it does not open in that of another tenant or issuer. */
export function secretBinding(tenantId: TenantId, issuer: string): readonly string[] {
  return ['sign_on_providers', tenantId, issuer];
}

/** Returns whether an e-mail address is in one of the provider's domains. */
export function isInDomains(
  { allowedDomains }: Pick<SignOnProvider, 'allowedDomains'>,
  email: string,
): boolean {
  const domain = domainOf(email);
  return domain !== undefined && allowedDomains.includes(domain);
}

/** Returns the domain of an address in ASCII and lower case; undefined if the text is not an address. */
export function domainOf(email: string): string | undefined {
  const [, host] = /^[^@\s]{1,64}@([^@\s/\\?#:[\]]{1,253})$/u.exec(email.trim()) ?? [];
  if (host === undefined || !URL.canParse(`https://${host}/`)) return undefined;
  return new URL(`https://${host}/`).hostname;
}

export function toSignOn(
  provider: SignOnProvider,
  { tenantId, hasSecret, siteUrl }: { tenantId: TenantId; hasSecret: boolean; siteUrl: string },
): SignOn {
  return {
    tenant_id: tenantId,
    issuer: provider.issuer,
    client_id: provider.clientId,
    has_secret: hasSecret,
    allowed_domains: [...provider.allowedDomains],
    trust_email: provider.trustsEmail,
    extra_scopes: [...provider.extraScopes],
    role_claim: provider.roleClaim,
    role_map: provider.roleMap.map(({ value, role }) => ({ value, role })),
    default_role: provider.defaultRole,
    create_members: provider.createMembers,
    required: provider.isRequired,
    redirect_uri: toRedirectUri(siteUrl),
    sign_on_url: `${siteUrl}/sign-on/start?${new URLSearchParams({ tenant: tenantId })}`,
    created_at: toTimestamp(provider.createdAtMs),
    updated_at: toTimestamp(provider.updatedAtMs),
  };
}

/** Where providers send people back to. */
export function toRedirectUri(siteUrl: string): string {
  return `${siteUrl}/sign-on/callback`;
}
