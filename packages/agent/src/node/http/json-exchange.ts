import { type RequestSigner, signRequest } from '@tps/signatures';

/** A batch of 500 refusals, each with the longest message, takes a tenth of it; a hundred policies as well. */
const RESPONSE_LIMIT_BYTES = 4 * 1024 * 1024;

/** Where and as whom requests are sent. */
export interface Connection {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  readonly credential: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

export interface JsonRequest {
  /** Relative to the base URL, without a leading slash; a query may follow. */
  readonly path: string;
  /** Posted as JSON, signed over the very bytes and path that go out. Without it, the request is a GET. */
  readonly post?: { readonly content: object; readonly signers: readonly RequestSigner[] };
  readonly headers?: Readonly<Record<string, string>>;
  /** 4 MiB unless told otherwise. */
  readonly responseLimitBytes?: number;
  readonly signal?: AbortSignal;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is no JSON. */
  readonly content: unknown;
}

/**
 * Sends one request and reads the whole answer, whatever its status. Redirects are not followed.
 *
 * @throws whatever `fetch` throws, and when the answer is longer than the limit
 */
export async function exchangeJson(connection: Connection, request: JsonRequest): Promise<JsonResponse> {
  const { baseUrl, credential, fetch, timeoutMs } = connection;
  const url = new URL(request.path, baseUrl);
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const { post, signal, responseLimitBytes = RESPONSE_LIMIT_BYTES } = request;
  const body = post === undefined ? undefined : Buffer.from(JSON.stringify(post.content));
  const signature =
    post === undefined || body === undefined
      ? {}
      : await signRequest({ method: 'POST', path: url.pathname, body }, post.signers);
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...request.headers,
      ...signature,
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: 'application/json',
    },
    ...(body === undefined ? {} : { body }),
    // A redirect would carry the credential to an address nobody configured, under a path nobody signed.
    redirect: 'manual',
    signal: signal === undefined ? timeLimit : AbortSignal.any([timeLimit, signal]),
  });
  const text = await textOf(response, responseLimitBytes);
  return { status: response.status, headers: response.headers, content: parseJson(text) };
}

async function textOf({ body }: Response, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limitBytes) throw new Error(`The answer is longer than ${limitBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
