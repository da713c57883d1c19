import { createHmac } from 'node:crypto';
import type { ClientAuth, Configuration } from 'openid-client';
import type { Secret } from '../../platform/crypto/secret.ts';
import { isLocalhost, isLoopbackAddress } from '../../platform/outbound/loopback.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { TargetRejectedError } from '../../platform/outbound/target-rejected-error.ts';
import { bareHost } from '../../platform/outbound/target-url.ts';
import type { Claims } from './claims/claim.ts';

/** PostgreSQL stores neither NUL nor half of a surrogate pair. A subject has no other control characters either. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Asymmetric algorithms only: with a symmetric one, the client secret would be enough to write ID tokens. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const SCOPES = ['openid', 'email', 'profile'];

/** A provider does not do what it must, or does not respond. The message is for the admins of the tenant. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/** How the service presents itself to a provider. */
export interface ProviderAccess {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: Secret | undefined;
}

/** What only the browser that began a sign-on can present again. */
export interface BrowserProof {
  /** Random, in the address of the response. */
  readonly state: string;
  /** Random, in a cookie only. */
  readonly browserId: string;
}

/** A person, as a provider describes them. The service has not confirmed any of it. */
export interface ProviderClaims {
  readonly subject: string;
  /** When the person proved who they are, if the provider says so. */
  readonly authenticatedAtMs: number | undefined;
  /** The claims of the ID token, then those of the userinfo endpoint, if it was asked. */
  readonly sources: readonly Claims[];
}

/** Speaks OpenID Connect with the providers of tenants. Every request goes through the checks for customers' URLs. */
export class OpenIdProviders {
  readonly #client: Pick<OutboundClient, 'fetch'>;
  readonly #allowsInsecure: boolean;

  constructor({
    client,
    allowsInsecure,
  }: { client: Pick<OutboundClient, 'fetch'>; allowsInsecure: boolean }) {
    this.#client = client;
    this.#allowsInsecure = allowsInsecure;
  }

  /** Reads the provider's discovery document and checks what sign-on needs. @throws ProviderError */
  async check(access: ProviderAccess): Promise<void> {
    await this.#discover(access);
  }

  /** Builds the address at which a person signs in. @throws ProviderError */
  async toAuthorizationUrl(
    access: ProviderAccess,
    request: { proof: BrowserProof; redirectUri: string; extraScopes: readonly string[]; isFresh: boolean },
  ): Promise<URL> {
    const config = await this.#discover(access);
    const openid = await import('openid-client');
    const { verifier, nonce } = toSecrets(request.proof);
    return openid.buildAuthorizationUrl(config, {
      redirect_uri: request.redirectUri,
      scope: [...new Set([...SCOPES, ...request.extraScopes])].join(' '),
      state: request.proof.state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(request.isFresh ? { prompt: 'login', max_age: '0' } : {}),
    });
  }

  /**
   * Redeems the code of a response and verifies the ID token: issuer, audience, nonce, times, algorithm and signature. With
   * `authenticatedForS`, the person must have proved who they are at most so many seconds ago. The userinfo endpoint is
   * asked as well, unless the claims of the ID token suffice.
   * @throws ProviderError
   */
  async redeem(
    access: ProviderAccess,
    response: {
      url: URL;
      proof: BrowserProof;
      suffices: (idToken: Claims) => boolean;
      authenticatedForS?: number | undefined;
    },
  ): Promise<ProviderClaims> {
    const config = await this.#discover(access);
    const openid = await import('openid-client');
    const { verifier, nonce } = toSecrets(response.proof);
    try {
      const tokens = await openid.authorizationCodeGrant(config, response.url, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: response.proof.state,
        idTokenExpected: true,
        ...(response.authenticatedForS === undefined ? {} : { maxAge: response.authenticatedForS }),
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderError('The provider sent no ID token');
      const { sub, auth_time: authTime } = claims;
      if (UNSTORABLE.test(sub)) throw new ProviderError('The provider sent an invalid subject');
      // OpenID Connect Core, section 5.4: with a code, a provider may give claims at its userinfo endpoint only.
      const canGiveMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const isComplete = !canGiveMore || response.suffices(claims);
      const more = isComplete ? [] : [await openid.fetchUserInfo(config, tokens.access_token, sub)];
      return {
        subject: sub,
        authenticatedAtMs: authTime === undefined ? undefined : Math.trunc(authTime * 1000),
        sources: [claims, ...more],
      };
    } catch (error) {
      throw toProviderError(error);
    }
  }

  async #discover(access: ProviderAccess): Promise<Configuration> {
    const openid = await import('openid-client');
    const { clientId } = access;
    const secret = access.secret?.reveal();
    const issuer = toIssuer(access.issuer);
    const customFetch = this.#fetch;
    const insecure = this.#allowsInsecure ? [openid.allowInsecureRequests] : [];
    let found: Configuration;
    try {
      const options = { [openid.customFetch]: customFetch, execute: insecure };
      found = await openid.discovery(issuer, clientId, undefined, openid.None(), options);
    } catch (error) {
      assertOneOrganization(findNamedIssuer(error));
      throw toProviderError(error);
    }
    const { supportsPKCE: _helper, ...metadata } = found.serverMetadata();
    assertOneOrganization(metadata.issuer);
    // Stricter than the library, which lets some providers differ here because they serve many organizations.
    if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== issuer.href) {
      throw new ProviderError('The discovery document names another issuer');
    }
    const algorithms = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
    const usable = algorithms.filter((algorithm) => ALGORITHMS.includes(algorithm));
    if (usable.length === 0)
      throw new ProviderError('The provider signs ID tokens with no asymmetric algorithm');
    this.#assertPage(metadata.authorization_endpoint);
    if (!metadata.token_endpoint || !metadata.jwks_uri) {
      throw new ProviderError('The discovery document lacks token_endpoint or jwks_uri');
    }
    // Otherwise the provider of one tenant could redeem a code of another one that was sent to it by a mix-up.
    if (secret === undefined && metadata.authorization_response_iss_parameter_supported !== true) {
      throw new ProviderError(
        'client_secret is required: the provider does not return iss with its responses (RFC 9207)',
      );
    }
    const authentication: ClientAuth =
      secret === undefined
        ? openid.None()
        : (metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes(
              'client_secret_basic',
            )
          ? openid.ClientSecretBasic(secret)
          : openid.ClientSecretPost(secret);
    const config = new openid.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: usable },
      clientId,
      undefined,
      authentication,
    );
    config[openid.customFetch] = customFetch;
    for (const allow of insecure) allow(config);
    // Without this, the signature of an ID token from the token endpoint is not verified.
    openid.enableNonRepudiationChecks(config);
    return config;
  }

  readonly #fetch = (
    url: string,
    options: {
      method: string;
      headers: Record<string, string>;
      body?: unknown;
      signal?: AbortSignal | undefined;
    },
  ): Promise<Response> => this.#client.fetch(url, options);

  /** The browser is sent there: an address such as `javascript:` must not become a link. */
  #assertPage(endpoint: string | undefined): void {
    const url = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (url?.protocol === 'https:') return;
    const isHere = url && (isLocalhost(bareHost(url)) || isLoopbackAddress(bareHost(url)));
    if (this.#allowsInsecure && isHere && url.protocol === 'http:') return;
    throw new ProviderError('authorization_endpoint must be an https address');
  }
}

/**
 * The code verifier (RFC 7636) and the nonce of a sign-on. They are derived, so that the store need not hold them: from the
 * state, which the response brings back, and the cookie, which only the browser has.
 */
function toSecrets({ state, browserId }: BrowserProof): { verifier: string; nonce: string } {
  const derive = (purpose: string) =>
    createHmac('sha256', browserId).update(`${purpose} ${state}`).digest('base64url');
  return { verifier: derive('code verifier'), nonce: derive('nonce') };
}

function toIssuer(issuer: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  // With the address of a document in place of an issuer, the library does not compare the issuer with the document.
  const isIssuer = url && url.search === '' && url.hash === '' && !url.href.includes('/.well-known/');
  if (!isIssuer)
    throw new ProviderError('issuer must be an address without query, fragment and /.well-known/');
  return url;
}

/**
 * Refuses the endpoints `common` and `organizations` of Entra ID. Each organization of the world can sign people in there,
 * with any e-mail address. A list of allowed ones would not be enough: each could claim the addresses of the others.
 */
function assertOneOrganization(issuer: unknown): void {
  if (typeof issuer !== 'string' || !issuer.includes('{tenantid}')) return;
  throw new ProviderError(
    'It serves many organizations. Use the issuer of your own organization: https://login.microsoftonline.com/<tenant id>/v2.0',
  );
}

/** The issuer of a discovery document that the library has refused because it was another one. */
function findNamedIssuer(error: unknown): unknown {
  const { body } = Object(Object(error).cause) as { body?: unknown };
  return (Object(body) as { issuer?: unknown }).issuer;
}

/** Keeps the reasons that help an admin, and nothing that the provider has written. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const rejected = findCause(error, (one) => one instanceof TargetRejectedError);
  if (rejected) return new ProviderError(`An address of the provider is rejected: ${rejected.message}`);
  const { code, error: refusal } = Object(error) as { code?: unknown; error?: unknown };
  if (typeof refusal === 'string' && /^[a-z_]{1,60}$/.test(refusal)) {
    return new ProviderError(`The provider refused: ${refusal}`, { cause: error });
  }
  if (typeof code === 'string' && code.startsWith('OAUTH_')) {
    return new ProviderError(`The provider's response is not valid (${describe(error)})`, { cause: error });
  }
  return new ProviderError('The provider does not respond', { cause: error });
}

/** The library's own words: a fixed text for each check. */
function describe(error: unknown): string {
  const inner = findCause(error, (one) => one.name === 'OperationProcessingError') ?? error;
  return inner instanceof Error ? inner.message.slice(0, 200) : 'unknown reason';
}

function findCause(error: unknown, isWanted: (error: Error) => boolean): Error | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    if (isWanted(one)) return one;
  }
  return undefined;
}
