/** A URL that the service will not call. The message completes "url is refused: …". */
export class TargetRejected extends Error {
  override readonly name = 'TargetRejected';
}
