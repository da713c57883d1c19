import { parseApiError } from '../../errors/api-error.ts';
import { DeviceClientError } from '../../errors/device-client-error.ts';
import type { SignedRequest } from '../../http/device-requests.ts';
import { type Connection, exchangeJson, type JsonResponse } from '../../http/json-exchange.ts';

/** A successful answer: a 2xx status and the parsed body. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Sends a request, signed with each call over the exact bytes and path that are sent.
 *
 * @throws DeviceClientError for any answer other than 2xx with a JSON body
 */
export async function signedPost<Body>(
  connection: Connection,
  request: SignedRequest,
): Promise<Answer<Body>> {
  const response = await exchangeJson(connection, request);
  return { status: response.status, body: toBody(response) as Body };
}

function toBody({ status, headers, content }: JsonResponse): unknown {
  if (status >= 200 && status < 300 && content !== undefined) return content;
  const requestId = headers.get('x-request-id') ?? undefined;
  const error = parseApiError(content);
  if (error !== undefined) {
    throw new DeviceClientError(error.message, { status, code: error.code, requestId });
  }
  throw new DeviceClientError(`The answer (${status}) is not from the API.`, {
    status,
    requestId,
  });
}
