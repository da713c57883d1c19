import { toApiError } from '../errors/api-error.ts';
import { ClientError } from '../errors/client-error.ts';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { toBaseUrl } from '../http/base-url.ts';
import type { TokenSource } from '../http/credential.ts';
import { type ExchangeAnswer, exchange, type Fetch } from '../http/exchange.ts';
import { parseRetryAfterMs, type RetryRules } from '../http/retry.ts';
import { withRetries } from '../http/send.ts';
import { onAbort } from '../http/wait.ts';

/** The OAuth client and the authorisation server. */
export interface ClientCredentialsOptions {
  /** Tokens are fetched from `{authUrl}/token`. https, or http for this machine only. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes of the token (default: all that the client is registered for). */
  readonly scopes?: readonly string[];
  /** Time limit of each attempt (default 10,000). */
  readonly timeoutMs?: number;
  readonly retry?: RetryRules;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  readonly allowInsecure?: boolean;
}

/** The token endpoint refused the client. `code` is one of RFC 6749, section 5.2, such as `invalid_client`. */
export class OAuthError extends ClientError {
  override readonly name: string = 'OAuthError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number) {
    super(`The token endpoint refused the client: ${code}.`);
    this.code = code;
    this.status = status;
  }
}

interface Grant {
  readonly token: string;
  readonly renewAtMs: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 65_536;
/** For a server that does not state the lifetime of a token, which RFC 6749, section 5.1, leaves optional. */
const DEFAULT_LIFETIME_S = 300;
/** A token is renewed after nine tenths of its lifetime, and never more than a minute before its end. */
const RENEWAL_MS = 60_000;

/**
 * Fetches tokens with the client credentials grant (RFC 6749, section 4.4) and caches each until shortly before it
 * expires. Concurrent calls share one request.
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  const url = `${toBaseUrl(options.authUrl, options)}/token`;
  let grant: Grant | undefined;
  let pending: Promise<Grant> | undefined;

  const renew = () => {
    pending ??= fetchGrant(url, options)
      .then((fetched) => {
        grant = fetched;
        return fetched;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return {
    async token(signals) {
      const valid = grant !== undefined && Date.now() < grant.renewAtMs ? grant : undefined;
      return (valid ?? (await unlessAborted(renew(), signals))).token;
    },
    reject(token) {
      // Another call may have renewed it since.
      if (grant?.token === token) grant = undefined;
    },
  };
}

/** Ends this wait only: other calls may wait for the same token. */
function unlessAborted<Result>(promise: Promise<Result>, signals: readonly AbortSignal[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signals, reject);
    promise.then(resolve, reject).finally(stop);
  });
}

async function fetchGrant(url: string, options: ClientCredentialsOptions): Promise<Grant> {
  const { clientId, clientSecret, scopes = [], retry = {} } = options;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });
  const once = async () => {
    const answer = await exchange({
      url,
      method: 'POST',
      headers: new Headers({
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      }),
      body: form.toString(),
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      limitBytes: ANSWER_LIMIT_BYTES,
      signals: [],
    });
    if (answer.status !== 200) throw toTokenError(answer);
    return parseGrant(answer.text);
  };
  // A token lost in transit does no harm, so the request is repeated after every transient failure.
  return withRetries(once, { retryOn: 'any-failure', retry, signals: [] });
}

function toTokenError({ status, headers, text }: ExchangeAnswer): ClientError {
  if (status !== 429 && status < 500) {
    const { error } = parseObject(text);
    // The characters of RFC 6749, section 5.2. Anything else is not from a token endpoint.
    return new OAuthError(
      typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `http_${status}`,
      status,
    );
  }
  return toApiError({
    status,
    code: `http_${status}`,
    message: `The token endpoint responded with ${status}.`,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfterMs(headers.get('retry-after')),
  });
}

function parseGrant(text: string): Grant {
  const { access_token: token, token_type: type, expires_in: lifetime } = parseObject(text);
  if (typeof token !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw new UnexpectedAnswerError(
      'token_not_understood',
      'The token endpoint did not return a bearer token.',
    );
  }
  const lifetimeMs = (typeof lifetime === 'number' && lifetime >= 0 ? lifetime : DEFAULT_LIFETIME_S) * 1000;
  return { token, renewAtMs: Date.now() + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs * 0.9) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
