/** The base class of the errors of failed calls. `code` is stable: branch on it. */
export abstract class ClientError extends Error {
  override readonly name: string = 'ClientError';
  abstract readonly code: string;
}
