import type { ApiErrorCode, FieldProblem } from '../schemas.ts';
import { ClientError } from './client-error.ts';

/** The content of an error answer. */
export interface Refusal {
  readonly status: number;
  /** A code of the contract or of a newer service; `http_<status>` when the answer is not from the service. */
  readonly code: ApiErrorCode | (string & {});
  readonly message: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly problems?: readonly FieldProblem[] | undefined;
}

/** The service refused a request or failed to process it. */
export class ApiError extends ClientError {
  override readonly name: string = 'ApiError';
  readonly code: Refusal['code'];
  readonly status: number;
  /** Identifies the request in the service's logs. Include it when you contact the operator. */
  readonly requestId: string | undefined;
  /** How long to wait before the next attempt (`Retry-After`). */
  readonly retryAfterMs: number | undefined;
  /** Everything that is wrong with the body or query, the problem of `message` first, at most 20. Empty for other errors. */
  readonly problems: readonly FieldProblem[];

  constructor({ status, code, message, requestId, retryAfterMs, problems = [] }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.problems = problems;
  }
}

/** 400, 413, 415: the request is invalid and would be refused again. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: the credential or the device's signature is invalid. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: the credential is valid but does not allow this. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError';
}

/** 404: the object does not exist, or belongs to another tenant. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** 409, 412, 422: the request conflicts with the current state, such as a version that has changed since. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 429: too many requests. `retryAfterMs` says how long to wait. */
export class RateLimitedError extends ApiError {
  override readonly name: string = 'RateLimitedError';
}

/** 5xx: the service failed. `unavailable` (503) is temporary. */
export class ServiceError extends ApiError {
  override readonly name: string = 'ServiceError';
}

/** Creates the error of the class for the status. */
export function toApiError(refusal: Refusal): ApiError {
  const { status } = refusal;
  if (status >= 500) return new ServiceError(refusal);
  switch (status) {
    case 400:
    case 413:
    case 415:
      return new InvalidRequestError(refusal);
    case 401:
      return new AuthenticationError(refusal);
    case 403:
      return new PermissionError(refusal);
    case 404:
      return new NotFoundError(refusal);
    case 409:
    case 412:
    case 422:
      return new ConflictError(refusal);
    case 429:
      return new RateLimitedError(refusal);
    default:
      return new ApiError(refusal);
  }
}
