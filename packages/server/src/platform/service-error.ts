import type { ErrorCode } from '@tps/contract';

/**
 * An expected refusal. Everything that knows no HTTP throws this; only the HTTP edge maps the code to a status.
 * The message reaches the client: it names the member at fault and never carries a secret, SQL or a stack.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Whole seconds after which the same request may succeed. Becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * Makes the one answer for whatever cannot be found. It names the noun but never the id: what belongs to another
 * tenant must look exactly like what does not exist.
 */
export function notFound(noun: string): ServiceError {
  return new ServiceError('not_found', `No such ${noun}.`);
}
