import { ClientError } from './client-error.ts';

/** Tells that no answer came: no connection, or it broke. A write may have happened all the same. */
export class ConnectionError extends ClientError {
  override readonly name: string = 'ConnectionError';
  readonly code = 'connection_failed';
}

/** Tells that the answer did not come within `timeoutMs`. A write may have happened all the same. */
export class TimeoutError extends ClientError {
  override readonly name: string = 'TimeoutError';
  readonly code = 'timed_out';
}

/** Why an answer is not one of the service. */
export type UnexpectedAnswerCode =
  | 'answer_not_understood'
  | 'answer_too_large'
  | 'redirect_refused'
  | 'token_not_understood';

/** Tells that what answered did not speak as the service does: a proxy, a portal, another program. */
export class UnexpectedAnswerError extends ClientError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly code: UnexpectedAnswerCode;

  constructor(code: UnexpectedAnswerCode, message: string) {
    super(message);
    this.code = code;
  }
}
