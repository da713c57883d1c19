import type { ApiErrorCode } from '../schemas.ts';
import { ClientError } from './client-error.ts';

/** What an answer other than a success says. */
export interface Refusal {
  readonly status: number;
  /** One of the contract, one that a newer service has added, or `http_<status>` when something in between answered. */
  readonly code: ApiErrorCode | (string & {});
  readonly message: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Tells that the service refused a request or failed at it. */
export class ApiError extends ClientError {
  override readonly name: string = 'ApiError';
  readonly code: Refusal['code'];
  readonly status: number;
  /** Names the request in the logs of the service; tell it to whoever runs that. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, message, requestId, retryAfterMs }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400, 413, 415: the request itself is at fault, and would be refused again. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: the credential, or the signature of a device, does not count. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: the credential counts, and does not allow this. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError';
}

/** 404: there is none, or it belongs to another tenant. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** 409, 412, 422: it does not fit the state in which things are, such as a version that somebody has changed. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 429: too many requests; `retryAfterMs` says when the next one is welcome. */
export class RateLimitedError extends ApiError {
  override readonly name: string = 'RateLimitedError';
}

/** 5xx: the service failed; `unavailable` (503) passes by itself. */
export class ServiceError extends ApiError {
  override readonly name: string = 'ServiceError';
}

/** Makes the error of the class that a status stands for. */
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
