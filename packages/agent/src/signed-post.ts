import { type RequestSigner, signRequest } from '@tps/signatures';
import { DeviceClientError } from './device-client-error.ts';

/** What the service answered: a 2xx status and the parsed body. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Where and as whom requests are sent. */
export interface Connection {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  readonly credential: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/**
 * Reads a base URL. A path in it is kept as a prefix, with or without a slash at the end.
 *
 * @throws TypeError unless it is http or https, without user name, query and fragment
 */
export function parseBaseUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isHttp || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The base URL must be http or https, without user name, query and fragment.');
  }
  url.pathname = url.pathname.replace(/\/?$/, '/');
  return url;
}

/**
 * Posts JSON, signed over the very bytes and path that go out. Each call signs anew.
 *
 * @param path relative to the base URL, without a leading slash
 * @throws DeviceClientError for any answer but a 2xx one with a JSON body
 */
export async function signedPost<Body>(
  connection: Connection,
  path: string,
  content: object,
  signers: readonly RequestSigner[],
): Promise<Answer<Body>> {
  const url = new URL(path, connection.baseUrl);
  const body = Buffer.from(JSON.stringify(content));
  const signature = await signRequest({ method: 'POST', path: url.pathname, body }, signers);
  const response = await connection.fetch(url, {
    method: 'POST',
    headers: {
      ...signature,
      authorization: `Bearer ${connection.credential}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body,
    // A redirect would carry the credential to an address nobody configured, under a path nobody signed.
    redirect: 'manual',
    signal: AbortSignal.timeout(connection.timeoutMs),
  });
  return { status: response.status, body: (await readBody(response)) as Body };
}

async function readBody(response: Response): Promise<unknown> {
  const content = parseJson(await response.text());
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (response.ok && content !== undefined) {
    return content;
  }
  const { status } = response;
  const error = (content as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  const { code, message } = error ?? {};
  if (typeof code === 'string' && typeof message === 'string') {
    throw new DeviceClientError(message, { status, code, requestId });
  }
  throw new DeviceClientError(`The service answered ${status} with a body that is not the API's.`, {
    status,
    requestId,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
