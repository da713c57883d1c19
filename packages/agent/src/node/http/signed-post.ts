import { errorOf } from '../../errors/api-error.ts';
import { DeviceClientError } from '../../errors/device-client-error.ts';
import type { SignedRequest } from './device-requests.ts';
import { type Connection, exchangeJson, type JsonResponse } from './json-exchange.ts';

/** What the service answered: a 2xx status and the parsed body. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Sends a request, signed anew with each call over the very bytes and path that go out.
 *
 * @throws DeviceClientError for any answer but a 2xx one with a JSON body
 */
export async function signedPost<Body>(
  connection: Connection,
  request: SignedRequest,
): Promise<Answer<Body>> {
  const response = await exchangeJson(connection, request);
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
