/** A URL that the service will not call. The message completes "url is refused: …". */
export class TargetRejectedError extends Error {
  override readonly name = 'TargetRejectedError';
}
