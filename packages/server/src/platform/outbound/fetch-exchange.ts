import type { Client, Dispatcher } from 'undici';

/** The part of `RequestInit` that protocol libraries use. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  /** Aborts the request, in addition to the deadline. */
  readonly signal?: AbortSignal | undefined;
}

export interface FetchExchangeOptions {
  readonly target: URL;
  readonly request: FetchRequest;
  readonly answerMs: number;
  /** Ends the exchange when the service stops. */
  readonly closing: AbortSignal;
}

/**
 * More than any document of an OpenID provider: discovery documents have about 5 KiB, key sets and answers with an ID token
 * of many groups less than 100 KiB.
 */
const MAX_BODY_BYTES = 256 * 1024;

/** The body of a response is longer than is read. */
class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';
}

/**
 * Makes one request and reads the whole response, both before the deadline. A redirect is a response.
 * @throws Error of undici, of the signals, or BodyTooLongError
 */
export async function exchange(client: Client, options: FetchExchangeOptions): Promise<Response> {
  const { target, request, answerMs, closing } = options;
  const signals = [AbortSignal.timeout(answerMs), closing, ...(request.signal ? [request.signal] : [])];
  const { statusCode, headers, body } = await client.request({
    method: request.method as Dispatcher.HttpMethod,
    path: `${target.pathname}${target.search}`,
    headers: request.headers,
    body: toBytes(request.body),
    signal: AbortSignal.any(signals),
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLongError('the response is too long');
    chunks.push(chunk);
  }
  const hasBody = ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? Buffer.concat(chunks) : null, {
    status: statusCode,
    headers: toHeaders(headers),
  });
}

function toBytes(body: unknown): string | Buffer | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only text and forms can be sent');
}

function toHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) all.append(name, one);
  }
  return all;
}
