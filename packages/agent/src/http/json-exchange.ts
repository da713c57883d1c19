import { type RequestSigner, signRequest } from '@tps/signatures';
import { concatBytes, decodeText, encodeText } from '../encoding/bytes.ts';

/** Ten times a batch of 500 refusals with the longest messages, or a page of 100 policies. */
const RESPONSE_LIMIT_BYTES = 4 * 1024 * 1024;
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Where requests are sent, and with which credential. */
export interface Connection {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  readonly credential: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

export interface JsonRequest {
  /** Relative to the base URL, without a leading slash, possibly with a query. */
  readonly path: string;
  /** Posted as JSON, signed over the exact bytes and path that are sent. Without it, the request is a GET. */
  readonly post?: { readonly content: object; readonly signers: readonly RequestSigner[] };
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 4 MiB. */
  readonly responseLimitBytes?: number;
  readonly signal?: AbortSignal;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is not JSON. */
  readonly content: unknown;
}

/**
 * Sends one request and reads the whole answer, for any status. Does not follow redirects.
 *
 * @throws the errors of `fetch`, and Error when the answer exceeds the limit
 */
export async function exchangeJson(connection: Connection, request: JsonRequest): Promise<JsonResponse> {
  const { baseUrl, credential, fetch, timeoutMs } = connection;
  const url = new URL(request.path, baseUrl);
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const { post, signal, responseLimitBytes = RESPONSE_LIMIT_BYTES } = request;
  const body = post === undefined ? undefined : encodeText(JSON.stringify(post.content));
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
    // A browser would add cookies, and answer from its cache.
    credentials: 'omit',
    cache: 'no-store',
    // A redirect would send the credential to an address that was not configured, under a path that was not signed.
    redirect: 'manual',
    signal: signal === undefined ? timeLimit : AbortSignal.any([timeLimit, signal]),
  });
  const text = await readText(response, responseLimitBytes);
  return { status: response.status, headers: response.headers, content: parseJson(text) };
}

async function readText({ body }: Response, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  // Not every browser can iterate over a body.
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length;
    if (size > limitBytes) {
      await reader?.cancel();
      throw new Error(`The answer exceeds ${limitBytes} bytes.`);
    }
    chunks.push(read.value);
  }
  return decodeText(concatBytes(chunks));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
