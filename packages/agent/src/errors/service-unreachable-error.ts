/** The service did not answer. It is unknown whether the request took effect; repeating it is safe. */
export class ServiceUnreachableError extends Error {
  override readonly name = 'ServiceUnreachableError';
}
