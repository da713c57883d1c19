/** A URL that the service will not call. The message completes "url is rejected: …". */
export class TargetRejectedError extends Error {
  override readonly name = 'TargetRejectedError';
}
