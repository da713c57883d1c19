import type { OAuthClientRecord } from './oauth-client.ts';
import { hasPrivateScheme, isLoopbackUri } from './redirect-uri.ts';

/**
 * Returns a client as OpenID dynamic registration describes it, which is what `oidc-provider` reads. Without the
 * secret, of which only the hash is known.
 */
export function toClientMetadata(client: OAuthClientRecord) {
  const { redirectUris, grantTypes, jwks } = client;
  // `native` makes the provider ignore the port of a loopback address (RFC 8252, section 7.3).
  const isNative = redirectUris.some((uri) => isLoopbackUri(uri) || hasPrivateScheme(uri));
  return {
    client_id: client.clientId,
    client_name: client.name,
    ...(client.uri === null ? {} : { client_uri: client.uri }),
    application_type: isNative ? ('native' as const) : ('web' as const),
    redirect_uris: [...redirectUris],
    grant_types: [...grantTypes],
    response_types: grantTypes.includes('authorization_code') ? (['code'] as const).slice() : [],
    token_endpoint_auth_method: client.authMethod,
    scope: client.scopes.join(' '),
    ...(jwks ? { jwks: { keys: jwks.keys.map((key) => ({ ...key })) } } : {}),
  };
}
