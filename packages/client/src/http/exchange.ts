import { ClientError } from '../errors/client-error.ts';
import { ConnectionError, TimeoutError, UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { readText } from './read-text.ts';
import { onAbort } from './wait.ts';

/** The part of `fetch` that the client uses: Node's, the browser's, or one that uses a proxy. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request, with the limits of its answer in time and size. */
export interface ExchangeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly limitBytes: number;
  readonly signals: readonly AbortSignal[];
  /** Default false: a request with a credential must not follow a redirect. */
  readonly followsRedirects?: boolean;
}

/** The status when the requested version has not changed. */
export const NOT_MODIFIED = 304;

/** A complete answer. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends one request once and reads the whole answer, within the time limit.
 *
 * @throws ConnectionError, TimeoutError, UnexpectedAnswerError; the reason of an aborted signal
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { timeoutMs, signals } = request;
  for (const signal of signals) signal.throwIfAborted();
  const controller = new AbortController();
  const stopWatching = onAbort(signals, (reason) => controller.abort(reason));
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`No answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    return await fetchWhole(request, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof ClientError) throw error;
    throw new ConnectionError(`No answer from ${new URL(request.url).origin}.`, { cause: error });
  } finally {
    clearTimeout(timer);
    stopWatching();
  }
}

async function fetchWhole(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeAnswer> {
  const { url, method, headers, body, limitBytes, followsRedirects = false } = request;
  const response = await request.fetch(url, {
    method,
    headers,
    signal,
    redirect: followsRedirects ? 'follow' : 'manual',
    // In a browser: no cookies in addition to the credential.
    credentials: 'omit',
    ...(body !== undefined && { body }),
  });
  // A browser hides the status of a redirect that it does not follow.
  if (response.type === 'opaqueredirect' || isRedirect(response.status)) {
    await response.body?.cancel();
    throw new UnexpectedAnswerError(
      'redirect_refused',
      'The answer is a redirect, which is not followed because the credential would be sent there. Check baseUrl.',
    );
  }
  return {
    status: response.status,
    headers: response.headers,
    text: await readText(response, limitBytes),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== NOT_MODIFIED;
}
