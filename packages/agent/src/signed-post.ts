import type { RequestSigner } from '@tps/signatures';
import { errorOf } from './api-error.ts';
import { DeviceClientError } from './device-client-error.ts';
import { type Connection, exchangeJson, type JsonResponse } from './json-exchange.ts';

/** What the service answered: a 2xx status and the parsed body. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
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
  const response = await exchangeJson(connection, { path, post: { content, signers } });
  return { status: response.status, body: bodyOf(response) as Body };
}

function bodyOf({ status, headers, content }: JsonResponse): unknown {
  if (status >= 200 && status < 300 && content !== undefined) return content;
  const requestId = headers.get('x-request-id') ?? undefined;
  const error = errorOf(content);
  if (error !== undefined) {
    throw new DeviceClientError(error.message, { status, code: error.code, requestId });
  }
  throw new DeviceClientError(`The service answered ${status} with a body that is not the API's.`, {
    status,
    requestId,
  });
}
