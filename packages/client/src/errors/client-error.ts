/** Comes of every call that did not do what it was asked for. `code` is stable: branch on it. */
export abstract class ClientError extends Error {
  override readonly name: string = 'ClientError';
  abstract readonly code: string;
}
