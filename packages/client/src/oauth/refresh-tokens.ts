import { toBaseUrl } from '../http/base-url.ts';
import type { TokenSource } from '../http/credential.ts';
import { cachedToken } from './cached-token.ts';
import { type OAuthClientOptions, type OAuthTokens, postForm, requestTokens } from './token-endpoint.ts';

export interface RefreshTokensOptions extends OAuthClientOptions {
  /** The tokens of the authorization code or device grant, or those that were saved last. */
  readonly tokens: OAuthTokens & { readonly refreshToken: string };
  /**
   * Stores the new tokens, before they are used: a refresh token works once. When this rejects, the call fails, and the
   * next call saves again.
   */
  readonly save: (tokens: OAuthTokens & { readonly refreshToken: string }) => void | Promise<void>;
}

/**
 * Renews an access token with a refresh token (RFC 6749, section 6), which is replaced at each use. Concurrent calls share
 * one request. A request whose answer was lost is repeated: within `refresh_grace_s` of the OAuth client the service accepts
 * that. Otherwise the grant ends, as it would without the repetition, because the new refresh token is lost.
 *
 * Two sources, or two processes, must not share a refresh token: the second use ends the grant, and both get an
 * `OAuthError` with the code `invalid_grant`. Then the person has to sign in again.
 */
export function refreshTokens(options: RefreshTokensOptions): TokenSource {
  const { save } = options;
  toBaseUrl(options.authUrl, options);
  let current = options.tokens;
  let isSaved = true;

  const renew = async () => {
    if (isSaved) {
      const form = { grant_type: 'refresh_token', refresh_token: current.refreshToken };
      const { refreshToken = current.refreshToken, ...issued } = await requestTokens(options, form, {
        retryOn: 'any-failure',
      });
      current = { ...issued, refreshToken };
      isSaved = false;
    }
    await save(current);
    isSaved = true;
    return current;
  };
  return cachedToken(renew, current);
}

/**
 * Revokes a refresh token, and with it the grant and its access tokens, or a single access token (RFC 7009). An unknown
 * token is accepted, too.
 */
export async function revokeOAuthToken(options: OAuthClientOptions, token: string): Promise<void> {
  await postForm(options, { path: '/revoke', form: { token } }, { retryOn: 'any-failure' });
}
