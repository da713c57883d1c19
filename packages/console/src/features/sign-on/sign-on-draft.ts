import type { SignOn, SignOnSettings } from '@tps/client';
import type { Role } from '@tps/contract/vocabulary';

export interface RoleRow {
  readonly value: string;
  readonly role: Role;
}

/** What a person types. The client secret is not part of it: drafts are kept in the browser. */
export interface SignOnDraft {
  readonly issuer: string;
  readonly clientId: string;
  readonly domains: string;
  readonly trustEmail: boolean;
  readonly extraScopes: string;
  readonly createMembers: boolean;
  readonly roleClaim: string;
  readonly roleMap: readonly RoleRow[];
  /** Empty: no role. */
  readonly defaultRole: Role | '';
  readonly required: boolean;
}

export const EMPTY_SIGN_ON: SignOnDraft = {
  issuer: '',
  clientId: '',
  domains: '',
  trustEmail: false,
  extraScopes: '',
  createMembers: true,
  roleClaim: '',
  roleMap: [],
  defaultRole: 'viewer',
  required: false,
};

export function toDraft(signOn: SignOn): SignOnDraft {
  return {
    issuer: signOn.issuer,
    clientId: signOn.client_id,
    domains: signOn.allowed_domains.join('\n'),
    trustEmail: signOn.trust_email,
    extraScopes: signOn.extra_scopes.join(' '),
    createMembers: signOn.create_members,
    roleClaim: signOn.role_claim ?? '',
    roleMap: signOn.role_map,
    defaultRole: signOn.default_role ?? '',
    required: signOn.required,
  };
}

/** Returns the settings as the API takes them. An empty secret keeps the present one. */
export function toSettings(draft: SignOnDraft, secret: string): SignOnSettings {
  const roleClaim = draft.roleClaim.trim();
  return {
    issuer: draft.issuer.trim(),
    client_id: draft.clientId.trim(),
    ...(secret !== '' && { client_secret: secret }),
    allowed_domains: toList(draft.domains.toLowerCase()),
    trust_email: draft.trustEmail,
    extra_scopes: toList(draft.extraScopes),
    create_members: draft.createMembers,
    role_claim: roleClaim === '' ? null : roleClaim,
    role_map: roleClaim === '' ? [] : draft.roleMap.filter(({ value }) => value.trim() !== ''),
    default_role: draft.defaultRole === '' ? null : draft.defaultRole,
    required: draft.required,
  };
}

/** Splits the input at spaces, commas and line ends. */
function toList(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
}
