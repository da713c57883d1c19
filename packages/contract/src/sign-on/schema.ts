import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { RoleName } from '../schema/roles.ts';
import { closed, nullable, Timestamp } from '../schema/values.ts';

/** Maximum number of mail domains, and of role mappings, of a tenant's provider. */
export const SIGN_ON_LIST_LIMIT = 50;

const Issuer = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Issuer of the OpenID provider, as its discovery document names it: https, on a host whose addresses are all public or in a network that the operator has allowed.',
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'ID that the provider has given to the service.',
});
const ClientSecret = Type.String({
  minLength: 8,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Secret that the provider has given to the service. Stored encrypted and never shown. If it is absent, the present one is kept. Required unless the provider returns `iss` with each response (RFC 9207).',
});
const Domains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^(?:[a-z0-9-]{1,63}\\.)+[a-z0-9-]{2,63}$',
    description: 'A domain in lower case, in ASCII. A subdomain is another domain.',
  }),
  {
    minItems: 1,
    maxItems: SIGN_ON_LIST_LIMIT,
    uniqueItems: true,
    description: 'Only people whose verified e-mail address is in one of these domains can sign in.',
  },
);
const TrustEmail = Type.Boolean({
  description:
    'Whether an e-mail address counts as verified if the provider does not state whether it is, like Entra ID. Set it only if people cannot choose their address at the provider: a person with the address of a colleague gets the account of the colleague in this tenant. An address that the provider reports as unverified is refused in any case.',
});
const ExtraScopes = Type.Array(
  Type.String({
    maxLength: 128,
    pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
    description: 'A scope (RFC 6749, section 3.3).',
  }),
  {
    maxItems: 10,
    uniqueItems: true,
    description:
      'Scopes that the service requests in addition to `openid`, `email` and `profile`. Some providers send the role claim only if it is requested with a scope: Okta with `groups`.',
  },
);
const RoleClaim = Type.String({
  minLength: 1,
  maxLength: 256,
  description:
    'Claim of the ID token, or of the userinfo endpoint, that decides the role: a text or a list of texts. Its name, such as `groups` or `https://example.com/roles`; or a JSON Pointer (RFC 6901) to a claim within another one, such as `/realm_access/roles`. If the provider does not send it, roles do not change, and members with a higher role than `default_role` cannot sign in.',
});
const RoleMapping = closed({
  value: Type.String({ minLength: 1, maxLength: 256, description: 'A value of the role claim.' }),
  role: RoleName,
});
const RoleMap = Type.Array(RoleMapping, {
  maxItems: SIGN_ON_LIST_LIMIT,
  description: 'The role for each value. If several match, the one with the most scopes applies.',
});
const DefaultRole = {
  ...RoleName,
  description:
    'Role of people without a mapped value. Null: such people do not become members, and their membership ends. Required with a role claim whose map is empty.',
};
const CreateMembers = Type.Boolean({
  description:
    'Whether people whom the provider confirms become members. False: only people who have accepted an invitation can sign in.',
});
const Required = Type.Boolean({
  description:
    'Whether a session that began with a password or passkey does not open this tenant. Admins are exempt, so that a failing provider cannot lock the tenant.',
});

export const SignOn = closed(
  {
    tenant_id: idOf('tenant'),
    issuer: Issuer,
    client_id: ClientId,
    has_secret: Type.Boolean({ description: 'Whether a client secret is stored that can be read.' }),
    allowed_domains: Domains,
    trust_email: TrustEmail,
    extra_scopes: ExtraScopes,
    role_claim: nullable(RoleClaim),
    role_map: RoleMap,
    default_role: nullable(DefaultRole),
    create_members: CreateMembers,
    required: Required,
    redirect_uri: Type.String({ description: 'Redirect URI to register at the provider.' }),
    sign_on_url: Type.String({ description: 'Page where people of the tenant begin to sign in.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'SignOn', description: 'The OpenID provider at which the people of a tenant sign in.' },
);
export type SignOn = Static<typeof SignOn>;

export const SignOnSettings = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    issuer: Issuer,
    client_id: ClientId,
    client_secret: Type.Optional(ClientSecret),
    allowed_domains: Domains,
    trust_email: Type.Optional({ ...TrustEmail, default: false }),
    extra_scopes: Type.Optional({ ...ExtraScopes, default: [] }),
    role_claim: Type.Optional(nullable(RoleClaim)),
    role_map: Type.Optional({ ...RoleMap, default: [] }),
    default_role: Type.Optional(nullable(DefaultRole)),
    create_members: Type.Optional({ ...CreateMembers, default: false }),
    required: Type.Optional({ ...Required, default: false }),
  },
  {
    $id: 'SignOnSettings',
    description:
      'The provider and its settings. Members that are absent get their default, except the secret.',
  },
);
export type SignOnSettings = Static<typeof SignOnSettings>;
