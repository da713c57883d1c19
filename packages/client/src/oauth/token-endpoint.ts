import { toApiError } from '../errors/api-error.ts';
import type { ClientError } from '../errors/client-error.ts';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { toBaseUrl } from '../http/base-url.ts';
import { type ExchangeAnswer, exchange, type Fetch } from '../http/exchange.ts';
import { parseRetryAfterMs, type RetryOn, type RetryRules } from '../http/retry.ts';
import { withRetries } from '../http/send.ts';
import { OAuthError } from './oauth-error.ts';

/** The OAuth client and the authorization server. */
export interface OAuthClientOptions {
  /** Tokens are fetched from `{authUrl}/token`. https, or http for this machine only. */
  readonly authUrl: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** How the secret is sent: in the form (default), or in the `Authorization: Basic` header. */
  readonly authMethod?: 'client_secret_post' | 'client_secret_basic';
  /** Time limit of each attempt (default 10,000). */
  readonly timeoutMs?: number;
  readonly retry?: RetryRules;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  readonly allowInsecure?: boolean;
}

/** What the token endpoint issued. */
export interface OAuthTokens {
  readonly accessToken: string;
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Absent for the client credentials grant, and when the client may not refresh. */
  readonly refreshToken?: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 65_536;
/** For a server that does not state the lifetime of a token, which RFC 6749, section 5.1, leaves optional. */
const DEFAULT_LIFETIME_S = 300;

/** Sends a form to the authorization server and returns its JSON answer. @throws OAuthError when it refuses */
export async function postForm(
  options: OAuthClientOptions,
  { path, form }: { path: string; form: Readonly<Record<string, string>> },
  { retryOn, signals = [] }: { retryOn: RetryOn; signals?: readonly AbortSignal[] },
): Promise<Record<string, unknown>> {
  const { clientId, clientSecret, authMethod = 'client_secret_post', retry = {} } = options;
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  });
  const body = new URLSearchParams(form);
  if (clientSecret !== undefined && authMethod === 'client_secret_basic') {
    headers.set('authorization', toBasic(clientId, clientSecret));
  } else {
    body.set('client_id', clientId);
    if (clientSecret !== undefined) body.set('client_secret', clientSecret);
  }
  const url = `${toBaseUrl(options.authUrl, options)}${path}`;
  const once = async () => {
    const answer = await exchange({
      url,
      method: 'POST',
      headers,
      body: body.toString(),
      fetch: options.fetch ?? ((address, init) => fetch(address, init)),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      limitBytes: ANSWER_LIMIT_BYTES,
      signals,
    });
    if (answer.status !== 200) throw toTokenError(answer);
    return parseObject(answer.text);
  };
  return withRetries(once, { retryOn, retry, signals });
}

/** Asks the token endpoint for tokens. @throws OAuthError when it refuses */
export async function requestTokens(
  options: OAuthClientOptions,
  form: Readonly<Record<string, string>>,
  rules: { retryOn: RetryOn; signals?: readonly AbortSignal[] },
): Promise<OAuthTokens> {
  return parseTokens(await postForm(options, { path: '/token', form }, rules));
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function toBasic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`;
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

function parseTokens(answer: Record<string, unknown>): OAuthTokens {
  const { access_token: accessToken, token_type: type, expires_in: lifetime, refresh_token: next } = answer;
  if (typeof accessToken !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw new UnexpectedAnswerError(
      'token_not_understood',
      'The token endpoint did not return a bearer token.',
    );
  }
  const lifetimeS = typeof lifetime === 'number' && lifetime >= 0 ? lifetime : DEFAULT_LIFETIME_S;
  return {
    accessToken,
    expiresAtMs: Date.now() + lifetimeS * 1000,
    ...(typeof next === 'string' && { refreshToken: next }),
  };
}

export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
