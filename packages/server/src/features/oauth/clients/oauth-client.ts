import type {
  ClientKeys,
  CreatedOAuthClient,
  GrantType,
  NewOAuthClient,
  OAuthClient,
  OAuthClientChange,
  Scope,
  TokenEndpointAuthMethod,
} from '@tps/contract';
import type { Secret } from '../../../platform/crypto/secret.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';
import { problemOfKeys } from './client-keys.ts';
import { problemOfClientUri, problemOfRedirectUri } from './redirect-uri.ts';

/** A secret that cannot be shown again. */
export interface HashedSecret {
  /** Lower-case hex SHA-256. */
  readonly hash: string;
  /** Prefix and last four characters. */
  readonly hint: string;
}

/** What the owner of a client chooses. */
export interface ClientSettings {
  readonly name: string;
  /** Address of its home page. */
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly authMethod: TokenEndpointAuthMethod;
  /** The most that its tokens can have. */
  readonly scopes: readonly Scope[];
  readonly jwks: ClientKeys | null;
  readonly refreshGraceS: number;
}

/** A client of a tenant. */
export interface OAuthClientRecord extends ClientSettings {
  readonly tenantId: TenantId;
  readonly clientId: string;
  /** Null for a client that proves its identity with a key, or not at all. */
  readonly secret: HashedSecret | null;
  /** The secret before the last rotation; it is accepted until `untilMs`. */
  readonly previous: { readonly hash: string; readonly untilMs: number } | null;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly updatedAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** Rises with each change. */
  readonly version: number;
}

export const DEVICE_GRANT: GrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Whether clients of this kind have a secret. */
export function hasSecret(method: TokenEndpointAuthMethod): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/** Returns the hashes of the secrets that are accepted now. */
export function acceptedSecretHashes({ secret, previous }: OAuthClientRecord, nowMs: number): string[] {
  return [...(secret ? [secret.hash] : []), ...(previous && previous.untilMs > nowMs ? [previous.hash] : [])];
}

/** Returns the settings of a new client. @throws ServiceError `invalid_field` when they contradict each other */
export function settingsOf(wanted: NewOAuthClient): ClientSettings {
  return checked({
    name: wanted.name,
    uri: wanted.uri ?? null,
    redirectUris: wanted.redirect_uris ?? [],
    grantTypes: wanted.grant_types,
    authMethod: wanted.token_endpoint_auth_method ?? 'client_secret_post',
    scopes: wanted.scopes,
    jwks: wanted.jwks ?? null,
    refreshGraceS: wanted.refresh_grace_s ?? 0,
  });
}

/** Applies a change. @throws ServiceError `invalid_field` when the result contradicts itself */
export function changeClient(
  client: OAuthClientRecord,
  change: OAuthClientChange,
  nowMs: number,
): OAuthClientRecord {
  const settings = checked({
    name: change.name ?? client.name,
    uri: change.uri === undefined ? client.uri : change.uri,
    redirectUris: change.redirect_uris ?? client.redirectUris,
    grantTypes: change.grant_types ?? client.grantTypes,
    authMethod: client.authMethod,
    scopes: change.scopes ?? client.scopes,
    jwks: change.jwks ?? client.jwks,
    refreshGraceS: change.refresh_grace_s ?? client.refreshGraceS,
  });
  return { ...client, ...settings, updatedAtMs: nowMs, version: client.version + 1 };
}

/** Sets a new secret. The current one is accepted during the overlap; older ones are not. */
export function rotateSecret(
  client: OAuthClientRecord,
  secret: HashedSecret,
  { overlapS, nowMs }: { overlapS: number; nowMs: number },
): OAuthClientRecord {
  const isKept = client.secret !== null && overlapS > 0;
  return {
    ...client,
    secret,
    previous: isKept ? { hash: client.secret.hash, untilMs: nowMs + overlapS * 1000 } : null,
    updatedAtMs: nowMs,
    version: client.version + 1,
  };
}

/** Whether a change takes away something that tokens or grants of the client may rest on. */
export function isNarrower(before: ClientSettings, after: ClientSettings): boolean {
  const lists = [
    [before.scopes, after.scopes],
    [before.grantTypes, after.grantTypes],
    [before.redirectUris, after.redirectUris],
    [keyTexts(before), keyTexts(after)],
  ] as const;
  return lists.some(([had, has]) => had.some((one) => !(has as readonly string[]).includes(one)));
}

/** Whether a change takes a scope away. */
export function hasFewerScopes(before: ClientSettings, after: ClientSettings): boolean {
  return before.scopes.some((scope) => !after.scopes.includes(scope));
}

/** Whether a change adds something that the client may do, or someone who can use it. */
export function isWider(before: ClientSettings, after: ClientSettings): boolean {
  return isNarrower(after, before);
}

/** Whether a change replaces all keys of a client. */
export function hasOtherKeys(before: ClientSettings, after: ClientSettings): boolean {
  const [had, has] = [keyTexts(before), keyTexts(after)];
  return has.length > 0 && !has.some((key) => had.includes(key));
}

function keyTexts({ jwks }: ClientSettings): string[] {
  return (jwks?.keys ?? []).map(({ kty, crv, x, y, n, e }) => JSON.stringify([kty, crv, x, y, n, e]));
}

export function toOAuthClient(client: OAuthClientRecord, nowMs: number): OAuthClient {
  const { previous } = client;
  return {
    client_id: client.clientId,
    tenant_id: client.tenantId,
    name: client.name,
    uri: client.uri,
    redirect_uris: [...client.redirectUris],
    grant_types: [...client.grantTypes],
    token_endpoint_auth_method: client.authMethod,
    scopes: [...client.scopes],
    jwks: client.jwks,
    refresh_grace_s: client.refreshGraceS,
    secret_hint: client.secret?.hint ?? null,
    previous_secret_until: previous && previous.untilMs > nowMs ? toTimestamp(previous.untilMs) : null,
    created_at: toTimestamp(client.createdAtMs),
    created_by: client.createdBy,
    updated_at: toTimestamp(client.updatedAtMs),
    last_used_at: toOptionalTimestamp(client.lastUsedAtMs),
  };
}

/** The only place where a client's secret becomes part of a response. */
export function toCreatedOAuthClient(
  { client, secret }: { client: OAuthClientRecord; secret: Secret | undefined },
  nowMs: number,
): CreatedOAuthClient {
  return {
    ...toOAuthClient(client, nowMs),
    ...(secret && { client_secret: String(secret.reveal()) }),
  };
}

/** The rules that span several members. The first broken one is reported. */
function checked(settings: ClientSettings): ClientSettings {
  const problem = problemOfGrants(settings) ?? problemOfUris(settings) ?? problemOfAuthentication(settings);
  if (problem !== undefined) throw new ServiceError('invalid_field', problem);
  return settings;
}

function problemOfGrants({ grantTypes, authMethod, refreshGraceS }: ClientSettings): string | undefined {
  const has = (grant: GrantType) => grantTypes.includes(grant);
  if (has('client_credentials') && authMethod === 'none') {
    return 'grant_types must not contain client_credentials if token_endpoint_auth_method is none';
  }
  if (has('refresh_token') && !has('authorization_code') && !has(DEVICE_GRANT)) {
    return `grant_types must contain authorization_code or ${DEVICE_GRANT} beside refresh_token`;
  }
  if (refreshGraceS > 0 && !has('refresh_token')) {
    return 'refresh_grace_s requires refresh_token in grant_types';
  }
  return undefined;
}

function problemOfUris({ uri, redirectUris, grantTypes, authMethod }: ClientSettings): string | undefined {
  const problem = uri === null ? undefined : problemOfClientUri(uri);
  if (problem) return `uri ${problem}`;
  for (const [index, redirectUri] of redirectUris.entries()) {
    const problem = problemOfRedirectUri(redirectUri, { isPublic: authMethod === 'none' });
    if (problem) return `redirect_uris[${index}] ${problem}`;
  }
  const isRedirected = grantTypes.includes('authorization_code');
  if (isRedirected && redirectUris.length === 0) return 'redirect_uris is required by authorization_code';
  if (!isRedirected && redirectUris.length > 0) {
    return 'redirect_uris requires authorization_code in grant_types';
  }
  return undefined;
}

function problemOfAuthentication({ authMethod, jwks }: ClientSettings): string | undefined {
  const needsKeys = authMethod === 'private_key_jwt';
  if (!needsKeys && jwks) return 'jwks requires private_key_jwt as token_endpoint_auth_method';
  if (needsKeys && !jwks) return 'jwks is required by private_key_jwt';
  const problem = jwks && problemOfKeys(jwks);
  return problem ? `jwks.${problem}` : undefined;
}
