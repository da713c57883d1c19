import type { ErrorCode, FieldProblem } from '@tps/contract';

/**
 * An expected error. Code that knows nothing of HTTP throws this; only the HTTP edge maps the code to a status. The
 * message reaches the client: it names the member at fault and never contains a secret, SQL or a stack.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Whole seconds after which the same request may succeed. Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Lists everything that is wrong with the request, the problem of the message first. */
  readonly listProblems: (() => readonly FieldProblem[]) | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.listProblems = options.listProblems;
  }
}

/** The part of an error that is sent between threads, which cannot exchange instances of classes. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

export function toRefusal({ code, message }: ServiceError): Refusal {
  return { code, message };
}

interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  readonly listProblems?: () => readonly FieldProblem[];
}

/** One error for unknown, malformed, expired and revoked credentials: the client must not learn which it was. */
export function invalidCredentials(): ServiceError {
  return new ServiceError('invalid_credentials', 'The credential is not valid');
}

/**
 * Returns the same error for everything that cannot be found. It names the noun but never the id: a resource of
 * another tenant must look exactly like one that does not exist.
 */
export function notFound(noun: string): ServiceError {
  return new ServiceError('not_found', `No such ${noun}.`);
}
