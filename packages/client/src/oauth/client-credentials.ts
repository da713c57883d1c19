import { toBaseUrl } from '../http/base-url.ts';
import type { TokenSource } from '../http/credential.ts';
import { cachedToken } from './cached-token.ts';
import { type OAuthClientOptions, requestTokens } from './token-endpoint.ts';

export interface ClientCredentialsOptions extends OAuthClientOptions {
  readonly clientSecret: string;
  /** Scopes of the token (default: all that the client is registered for). */
  readonly scopes?: readonly string[];
}

/**
 * Fetches tokens with the client credentials grant (RFC 6749, section 4.4) and caches each until shortly before it
 * expires. Concurrent calls share one request.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  const { scopes = [] } = options;
  toBaseUrl(options.authUrl, options);
  const form = {
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  // A token lost in transit does no harm, so the request is repeated after every transient failure.
  return cachedToken(() => requestTokens(options, form, { retryOn: 'any-failure' }));
}
