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

/** An answer whose body is still arriving. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Ends the request. Call it when the body is not needed any more. */
  close(): void;
}

/**
 * Sends one request once and reads the whole answer, within the time limit.
 *
 * @throws ConnectionError, TimeoutError, UnexpectedAnswerError; the reason of an aborted signal
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const attempt = begin(request);
  try {
    const { status, headers, body } = await fetchHead(request, attempt.signal);
    return { status, headers, text: await readText(body, request.limitBytes) };
  } catch (error) {
    throw attempt.toFailure(error);
  } finally {
    attempt.end();
  }
}

/**
 * Sends one request once and returns when its answer begins. The time limit applies until then, the signals until `close`.
 *
 * @throws ConnectionError, TimeoutError, UnexpectedAnswerError; the reason of an aborted signal
 */
export async function openExchange(request: ExchangeRequest): Promise<OpenAnswer> {
  const attempt = begin(request);
  try {
    const { status, headers, body } = await fetchHead(request, attempt.signal);
    attempt.endTimeLimit();
    return { status, headers, body, close: () => attempt.cancel() };
  } catch (error) {
    attempt.end();
    throw attempt.toFailure(error);
  }
}

/** Starts the time limit of a request, and watches its signals. */
function begin({ url, timeoutMs, signals }: ExchangeRequest) {
  for (const signal of signals) signal.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const stopWatching = onAbort(signals, (reason) => controller.abort(reason));
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`No answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const endTimeLimit = () => clearTimeout(timer);
  const end = () => {
    endTimeLimit();
    stopWatching();
  };
  return {
    signal,
    endTimeLimit,
    end,
    cancel() {
      end();
      controller.abort();
    },
    toFailure(error: unknown): unknown {
      if (signal.aborted) return signal.reason;
      if (error instanceof ClientError) return error;
      return new ConnectionError(`No answer from ${new URL(url).origin}.`, { cause: error });
    },
  };
}

async function fetchHead(request: ExchangeRequest, signal: AbortSignal): Promise<Response> {
  const { url, method, headers, body, followsRedirects = false } = request;
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
  return response;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== NOT_MODIFIED;
}
