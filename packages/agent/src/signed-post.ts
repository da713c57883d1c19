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
