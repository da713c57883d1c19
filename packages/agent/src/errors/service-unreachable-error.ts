/** Says that the service gave no answer: whether the request took effect is unknown, and repeating it does no harm. */
export class ServiceUnreachableError extends Error {
  override readonly name = 'ServiceUnreachableError';
}
