/**
 * The service answered with an error, or with a body that is not from the API. Without any answer a call rejects
 * otherwise: the device client with the error of `fetch`, `enrolDevice` with a `ServiceUnreachableError`.
 */
export class DeviceClientError extends Error {
  override readonly name = 'DeviceClientError';
  /** The HTTP status. */
  readonly status: number;
  /** The API's stable error code; undefined when the answer is not from the API, such as a proxy's. */
  readonly code: string | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    answer: { status: number; code?: string | undefined; requestId?: string | undefined },
  ) {
    super(message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
  }
}
