/**
 * Says that the service answered, but not with what was asked for. When there was no answer at all, the client
 * rejects with the error of `fetch` instead, and whether the request took effect is unknown.
 */
export class DeviceClientError extends Error {
  override readonly name = 'DeviceClientError';
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The API's stable error code; absent when the answer is not the API's, such as that of a proxy. */
  readonly code: string | undefined;
  /** Names the request in the service's log. */
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
