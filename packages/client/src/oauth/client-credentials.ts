import { toApiError } from '../errors/api-error.ts';
import { ClientError } from '../errors/client-error.ts';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { toBaseUrl } from '../http/base-url.ts';
import type { TokenSource } from '../http/credential.ts';
import { type ExchangeAnswer, exchange, type Fetch } from '../http/exchange.ts';
import { parseRetryAfterMs, type RetryRules } from '../http/retry.ts';
import { withRetries } from '../http/send.ts';
import { onAbort } from '../http/wait.ts';

/** Who fetches tokens, and where. */
export interface ClientCredentialsOptions {
  /** `{auth_url}`; tokens are fetched from `{auth_url}/token`. https, or http on this machine. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the token is to allow. All that the client is registered for unless given. */
  readonly scopes?: readonly string[];
  /** For each attempt. 10,000 unless given. */
  readonly timeoutMs?: number;
  readonly retry?: RetryRules;
  /** In place of the global one. */
  readonly fetch?: Fetch;
  readonly allowInsecure?: boolean;
}

/** Tells that no token is given to this client. `code` is one of RFC 6749, section 5.2, such as `invalid_client`. */
export class OAuthError extends ClientError {
  override readonly name: string = 'OAuthError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number) {
    super(`No token is given to this client: ${code}.`);
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
/** For a server that does not say how long a token lasts (RFC 6749, section 5.1, leaves that open). */
const DEFAULT_LIFETIME_S = 300;
/** A token is renewed after nine tenths of its life, and never more than a minute before its end. */
const RENEWAL_MS = 60_000;

/**
 * Fetches tokens by the client credentials grant (RFC 6749, section 4.4) and keeps each until shortly before its end.
 * Calls that need one at the same time share one request.
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
      const inForce = grant !== undefined && Date.now() < grant.renewAtMs ? grant : undefined;
      return (inForce ?? (await unlessAborted(renew(), signals))).token;
    },
    reject(token) {
      // Another call may have renewed it in the meantime.
      if (grant?.token === token) grant = undefined;
    },
  };
}

/** Ends this wait alone: others may be waiting for the same token. */
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
  // A token that got lost on the way harms nobody, so every failure that passes is worth another attempt.
  return withRetries(once, { retryOn: 'any-failure', retry, signals: [] });
}

function toTokenError({ status, headers, text }: ExchangeAnswer): ClientError {
  if (status !== 429 && status < 500) {
    const { error } = parseObject(text);
    // The characters of RFC 6749, section 5.2; anything else is not from a token endpoint.
    return new OAuthError(
      typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `http_${status}`,
      status,
    );
  }
  return toApiError({
    status,
    code: `http_${status}`,
    message: `The token endpoint answered ${status}.`,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfterMs(headers.get('retry-after')),
  });
}

function parseGrant(text: string): Grant {
  const { access_token: token, token_type: type, expires_in: lifetime } = parseObject(text);
  if (typeof token !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw new UnexpectedAnswerError('token_not_understood', 'The token endpoint gave no bearer token.');
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
