import { type ApiError, type Refusal, toApiError } from '../errors/api-error.ts';
import { type Credential, resolveCredential } from './credential.ts';
import {
  type ExchangeAnswer,
  type ExchangeRequest,
  exchange,
  type Fetch,
  NOT_MODIFIED,
  type OpenAnswer,
  openExchange,
} from './exchange.ts';
import { readText } from './read-text.ts';
import { parseRetryAfterMs, type RetryOn, type RetryRules, retryDelayMs } from './retry.ts';
import { wait } from './wait.ts';

/**
 * Refusals (401) that do not mean an invalid token. A signature must not be sent twice, and a new token does not prove
 * who the person is.
 */
const KEEPS_TOKEN: ReadonlySet<string> = new Set(['invalid_signature', 'reauthentication_required']);

/** The client's settings for all calls. */
export interface SendSettings {
  readonly credential: Credential | undefined;
  readonly fetch: Fetch;
  readonly retry: RetryRules;
  readonly responseLimitBytes: number;
}

/** The rules of one call. */
export interface SendRules {
  readonly retryOn: RetryOn;
  /** Time limit of each attempt. */
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
  /** Sends no credential, and so can follow redirects. */
  readonly isPublic?: boolean;
}

/**
 * Sends a request, with retries as the rules allow, and returns the successful answer.
 *
 * @throws ApiError for any other answer; the errors of `exchange`
 */
export async function send(request: Request, rules: SendRules, settings: SendSettings): Promise<Response> {
  // Read once, because a body is a stream and would be empty in a second attempt.
  const body = request.method === 'GET' ? '' : await request.text();
  const attempt: ExchangeRequest = {
    url: request.url,
    method: request.method,
    headers: askingForProblems(request.headers),
    ...(body !== '' && { body }),
    fetch: settings.fetch,
    timeoutMs: rules.timeoutMs,
    limitBytes: settings.responseLimitBytes,
    signals: rules.signals,
    followsRedirects: rules.isPublic ?? false,
  };
  const once = () =>
    rules.isPublic ? expectSuccess(attempt) : sendAuthorised(attempt, settings.credential, expectSuccess);
  return toResponse(await withRetries(once, { ...rules, retry: settings.retry }));
}

/** The longest error that is read from an answer that was expected to be a stream. */
const MAX_REFUSAL_BYTES = 65_536;

/**
 * Sends a request once and returns the successful answer when it begins.
 *
 * @throws ApiError for any other answer; the errors of `openExchange`
 */
export function openStream(
  request: Request,
  rules: Omit<SendRules, 'retryOn'>,
  settings: SendSettings,
): Promise<OpenAnswer> {
  const { url, method } = request;
  const headers = askingForProblems(request.headers);
  const { fetch, responseLimitBytes: limitBytes } = settings;
  const attempt = { url, method, headers, fetch, limitBytes, ...rules };
  return sendAuthorised(attempt, settings.credential, async (authorised) => {
    const answer = await openExchange(authorised);
    if (answer.status === 200) return answer;
    try {
      throw toRefusal({ ...answer, text: await readText(answer.body, MAX_REFUSAL_BYTES) });
    } finally {
      answer.close();
    }
  });
}

/** Repeats a task until it succeeds, or until the rules do not allow another attempt. */
export async function withRetries<Result>(
  once: () => Promise<Result>,
  { retryOn, retry, signals }: { retryOn: RetryOn; retry: RetryRules; signals: readonly AbortSignal[] },
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await once();
    } catch (error) {
      const delayMs = retryDelayMs(error, attempts, { retryOn, rules: retry });
      if (delayMs === undefined) throw error;
      await wait(delayMs, signals);
    }
  }
}

/** Fetches a new token once when one was refused: it may be revoked, or have expired by the service's clock. */
async function sendAuthorised<Answer>(
  attempt: ExchangeRequest,
  credential: Credential | undefined,
  sendOnce: (attempt: ExchangeRequest) => Promise<Answer>,
): Promise<Answer> {
  if (credential === undefined) return sendOnce(attempt);
  const token = await resolveCredential(credential, attempt.signals);
  try {
    return await sendOnce(withToken(attempt, token));
  } catch (error) {
    const { status, code } = error as ApiError;
    const isTokenRefused = status === 401 && !KEEPS_TOKEN.has(code);
    if (!isTokenRefused || typeof credential !== 'object') throw error;
    credential.reject(token);
    return await sendOnce(withToken(attempt, await resolveCredential(credential, attempt.signals)));
  }
}

function withToken(attempt: ExchangeRequest, token: string): ExchangeRequest {
  const headers = new Headers(attempt.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...attempt, headers };
}

async function expectSuccess(attempt: ExchangeRequest): Promise<ExchangeAnswer> {
  const answer = await exchange(attempt);
  if ((answer.status >= 200 && answer.status < 300) || answer.status === NOT_MODIFIED) return answer;
  throw toRefusal(answer);
}

function toRefusal(answer: ExchangeAnswer): ApiError {
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  const retryAfterMs = parseRetryAfterMs(answer.headers.get('retry-after'));
  return toApiError({ status: answer.status, ...parseRefusal(answer), requestId, retryAfterMs });
}

/** The other form of an error has one problem only. */
function askingForProblems(known: Headers): Headers {
  const headers = new Headers(known);
  const accept = headers.get('accept');
  headers.set(
    'accept',
    `${accept === null || accept === '*/*' ? 'application/json' : accept}, application/problem+json`,
  );
  return headers;
}

/** Does not quote an answer that is not an error of the service: it may be a proxy's page. */
function parseRefusal({ status, text }: ExchangeAnswer): Pick<Refusal, 'code' | 'message' | 'problems'> {
  try {
    const document = JSON.parse(text) as { error?: unknown; errors?: unknown };
    const { code, message, detail = message } = Object(document.error ?? document) as Record<string, unknown>;
    if (typeof code === 'string' && typeof detail === 'string') {
      return { code, message: detail, problems: Array.isArray(document.errors) ? document.errors : [] };
    }
  } catch {
    // Not JSON: falls through to `http_<status>`.
  }
  return { code: `http_${status}`, message: `The answer (${status}) is not from the service.` };
}

/** The body has been read and decoded, so the headers on its encoding and length do not apply any more. */
function toResponse({ status, headers: received, text }: ExchangeAnswer): Response {
  const headers = new Headers(received);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  return new Response(text === '' ? null : text, { status, headers });
}
