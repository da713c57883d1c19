import { SCOPES } from '@tps/contract';
import type { Configuration, errors, KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../../database/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import { peerOf } from '../../../platform/rate-limit/peer-key.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import * as clientReadModel from '../clients/client-read-model.ts';
import { tenantOfGrant } from '../grant-id.ts';
import * as memberReadModel from './member-read-model.ts';
import type { OauthKeySet } from './oauth-keys.ts';
import { OPENID_SCOPES } from './provider-client.ts';

/** `Ed25519` is the name of RFC 9864 for what libraries have called `EdDSA`. */
const SIGNED_BY_CLIENTS = [
  'ES256' as const,
  'RS256' as const,
  'PS256' as const,
  'Ed25519' as const,
  'EdDSA' as const,
];
const HOUR_S = 3600;
/** A person who is signed in decides on a page. */
const CONSENT_S = 900;
const MAX_USER_AGENT = 256;
const DAY_S = 86_400;
/** A refresh token that is not used ends. */
const REFRESH_IDLE_S = 30 * DAY_S;
/** However often it is refreshed, a grant ends. */
export const GRANT_S = 90 * DAY_S;

const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  revocation: '/revoke',
  introspection: '/introspect',
  jwks: '/jwks',
  userinfo: '/userinfo',
  device_authorization: '/device/code',
  code_verification: '/device',
  pushed_authorization_request: '/par',
};

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_S = HOUR_S;

/** In seconds. */
const TIMES_TO_LIVE: NonNullable<Configuration['ttl']> = {
  AccessToken: ACCESS_TOKEN_S,
  ClientCredentials: ACCESS_TOKEN_S,
  AuthorizationCode: 60,
  DeviceCode: 600,
  IdToken: HOUR_S,
  Interaction: CONSENT_S,
  Session: DAY_S,
  Grant: GRANT_S,
  RefreshToken(_ctx, token) {
    const age = 'totalLifetime' in token ? (token as { totalLifetime(): number }).totalLifetime() : 0;
    return Math.max(1, Math.min(REFRESH_IDLE_S, GRANT_S - age));
  },
};

export interface SettingsParts {
  readonly config: Pick<Config, 'auth' | 'rateLimit'>;
  readonly database: Database;
  readonly site: WebSite;
  /** The address of the API: the resource that access tokens are for (RFC 8707). */
  readonly resource: string;
  readonly keys: OauthKeySet;
  readonly adapter: NonNullable<Configuration['adapter']>;
  readonly errors: typeof errors;
}

/** What the authorization server does, apart from what people see. */
export function providerSettings(parts: SettingsParts): Configuration {
  const { config, database, site, keys, adapter } = parts;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure: site.isSecure } as const;
  return {
    adapter,
    jwks: { keys: keys.signing.map((key) => ({ ...key })) as never },
    cookies: {
      keys: [...keys.cookies],
      names: { session: 'tps-oauth-session', interaction: 'tps-oauth', resume: 'tps-oauth-resume' },
      long: { ...cookie, path: '/' },
      // Without a path of ours: each interaction has its own, so that tabs do not take each other's.
      short: cookie,
    },
    routes: ROUTES,
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [...SCOPES, ...OPENID_SCOPES],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // So that a client with API scopes gets the claims: its access token is not for the userinfo endpoint.
    conformIdTokenClaims: false,
    subjectTypes: ['public'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: SIGNED_BY_CLIENTS,
      dPoPSigningAlgValues: SIGNED_BY_CLIENTS,
    },
    pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Everything of a grant ends with it; an access token can end alone.
    revokeGrantPolicy: ({ oidc }) => oidc.route !== 'revocation' || oidc.entities.RefreshToken !== undefined,
    clientBasedCORS: () => false,
    ttl: TIMES_TO_LIVE,
    async findAccount(_ctx, accountId) {
      const person = await memberReadModel.findPerson(database.read, accountId);
      if (!person) return undefined;
      const { name, email, isEmailVerified } = person;
      const claims = { sub: accountId, name, email, email_verified: isEmailVerified };
      return { accountId, claims: async () => claims };
    },
    async extraTokenClaims(_ctx, token) {
      const { grantId, clientId = '' } = token as { grantId?: string; clientId?: string };
      const tenantId =
        grantId === undefined ? await tenantOfClient(database, clientId) : tenantOfGrant(grantId);
      return { tenant_id: tenantId };
    },
    features: featuresOf(parts, config.auth),
  };
}

function featuresOf(parts: SettingsParts, auth: Config['auth']): NonNullable<Configuration['features']> {
  const { database } = parts;
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: '****-****',
      deviceInfo: ({ req }) => ({
        ip: peerOf(req, parts.config.rateLimit.trustProxy),
        ua: req.headers['user-agent']?.slice(0, MAX_USER_AGENT),
      }),
    },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: true },
    dPoP: { enabled: auth.proofOfPossession },
    pushedAuthorizationRequests: {
      enabled: auth.pushedRequests !== 'off',
      requirePushedAuthorizationRequests: auth.pushedRequests === 'required',
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    introspection: {
      enabled: true,
      async allowedPolicy(_ctx, client, token) {
        if (token.clientId === client.clientId) return true;
        if (client.tokenEndpointAuthMethod === 'none') return false;
        const { grantId, clientId = '' } = token as { grantId?: string; clientId?: string };
        const tenantId =
          grantId === undefined ? await tenantOfClient(database, clientId) : tenantOfGrant(grantId);
        return tenantId !== undefined && tenantId === (await tenantOfClient(database, client.clientId));
      },
    },
    resourceIndicators: resourceSettings(parts),
  };
}

/**
 * All API scopes belong to one resource, the API. What asks for none of them gets a token for the userinfo endpoint
 * only.
 */
function resourceSettings({ resource, errors: { InvalidScope, InvalidTarget } }: SettingsParts) {
  return {
    enabled: true,
    async defaultResource(ctx: KoaContextWithOIDC, _client: unknown, oneOf?: readonly string[]) {
      const [first] = oneOf ?? [];
      if (first !== undefined) return first;
      const asked = scopesOf(ctx);
      const isAboutPerson = asked.length > 0 && asked.every(isOpenidScope);
      return isAboutPerson ? (undefined as never) : resource;
    },
    useGrantedResource: async () => true,
    async getResourceServerInfo(
      ctx: KoaContextWithOIDC,
      wanted: string,
      client: { readonly scope?: string | undefined },
    ) {
      if (wanted !== resource) throw new InvalidTarget();
      const allowed = (client.scope ?? '').split(' ').filter((scope) => !isOpenidScope(scope));
      if (isRequestOfScopes(ctx)) {
        // The provider would drop an unknown scope silently, and give no scope at all to a request that names none.
        const unknown = scopesOf(ctx).find((scope) => !isOpenidScope(scope) && !allowed.includes(scope));
        if (unknown !== undefined) throw new InvalidScope('requested scope is not allowed', unknown);
        if (scopesOf(ctx).length === 0 && ctx.oidc.params) ctx.oidc.params.scope = allowed.join(' ');
      }
      return { scope: allowed.join(' '), accessTokenTTL: HOUR_S, accessTokenFormat: 'opaque' as const };
    },
  };
}

/** Whether the request names the scopes that it wants: it redeems nothing that already has some. */
function isRequestOfScopes({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.route !== 'token' || oidc.params?.grant_type === 'client_credentials';
}

function scopesOf({ oidc }: KoaContextWithOIDC): string[] {
  const scope = oidc.params?.scope;
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}

function isOpenidScope(scope: string): boolean {
  return (OPENID_SCOPES as readonly string[]).includes(scope);
}

async function tenantOfClient({ read }: Database, clientId: string): Promise<string | undefined> {
  return (await clientReadModel.findById(read, clientId))?.tenantId;
}
